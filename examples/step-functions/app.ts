import { App } from 'aws-cdk-lib';
import { NightlyStack } from './stack.ts';

new NightlyStack(new App(), 'Nightly');
