import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import type { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { IGrantable, IPrincipal } from 'aws-cdk-lib/aws-iam';
import { Grant, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, CfnFunction, Code, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import type { NodejsFunctionProps } from 'aws-cdk-lib/aws-lambda-nodejs';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { MEMORY_MB } from '../functions/core/prices.ts';
import { OPENED_FILE } from '../functions/sensors/opened.ts';
import type { Opened } from '../functions/sensors/opened.ts';
import type { Environment, FunctionName, JUDGES } from '../functions/settings.ts';
import { bundleFunction } from './bundling.ts';

/** What all functions of a service have in common. */
export interface HouseProps {
  /** How long logs are kept. */
  readonly logRetention: RetentionDays;
  /** What happens to the logs when their function leaves the stack. */
  readonly removalPolicy: RemovalPolicy;
}

interface FunctionProps<Name extends FunctionName> extends HouseProps {
  /** The folder of functions/ that holds its handler.ts. */
  readonly handler: Name;
  /** One sentence for whoever meets it in the console. */
  readonly description: string;
  /** Every variable that the handler reads; one that is missing here does not compile. */
  readonly environment: Environment<Name>;
  readonly timeout: Duration;
  /**
   * Megabytes.
   * @default - the handler's in functions/core/prices.ts
   */
  readonly memorySize?: number;
  /**
   * An asynchronous invocation runs at most once and is dropped after this long.
   * @default - Lambda's own: two more tries, dropped after six hours
   */
  readonly dropAfter?: Duration;
  /**
   * What Lambda does where the function was reached through itself 16 times in one chain.
   * @default - it stops the chain
   */
  readonly recursiveLoop?: RecursiveLoop;
}

/** What is opened to sensors lies beside the code of the functions that judge by it, and of no other. */
type OpenedProps<Name extends FunctionName> = Name extends (typeof JUDGES)[number]
  ? { readonly opened: Opened }
  : { readonly opened?: never };

export type LambdaFunctionProps<Name extends FunctionName> = FunctionProps<Name> & OpenedProps<Name>;

/**
 * A function as this house runs them: Node 24 on arm64, minified, with the SDK in it, logs that expire, and a
 * role of its own that may write those logs and nothing else until it is granted more.
 */
export class LambdaFunction<Name extends FunctionName = FunctionName> extends Construct implements IGrantable {
  readonly resource: NodejsFunction;
  readonly handler: Name;
  readonly grantPrincipal: IPrincipal;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: LambdaFunctionProps<Name>) {
    super(scope, id);
    this.handler = props.handler;
    const logGroup = new LogGroup(this, 'Logs', { retention: props.logRetention, removalPolicy: props.removalPolicy });
    // The role that the CDK would make carries a managed policy: every log group of the account.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    this.grantPrincipal = role;
    this.role = role;
    this.resource = new NodejsFunction(this, 'Resource', {
      ...codeOf(props.handler, props.opened),
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      environment: { ...props.environment },
      timeout: props.timeout,
      memorySize: props.memorySize ?? MEMORY_MB[props.handler],
      ...(props.dropAfter && { retryAttempts: 0, maxEventAge: props.dropAfter }),
      ...(props.recursiveLoop && { recursiveLoop: props.recursiveLoop }),
      logGroup,
      role,
    });
  }

  /** Keeps this many concurrent executions of the account for the function, and lets it have no more. */
  reserve(executions: number): void {
    const { defaultChild } = this.resource.node;
    if (!CfnFunction.isCfnFunction(defaultChild)) throw new Error('A function without a resource.');
    defaultChild.reservedConcurrentExecutions = executions;
  }

  /** Allows to invoke the function itself (its versions and aliases it has not). */
  grantInvoke(grantee: IGrantable): void {
    Grant.addToPrincipal({
      grantee,
      actions: ['lambda:InvokeFunction'],
      resourceArns: [this.resource.functionArn],
    });
  }
}

/**
 * The published package brings its functions bundled (scripts/build.ts); a clone has them bundled from their sources.
 * @param opened what is opened to sensors, for a file beside the code
 */
function codeOf(handler: FunctionName, opened: Opened | undefined): NodejsFunctionProps {
  const folder = join(import.meta.dirname, '..', 'functions', handler);
  const file = opened === undefined ? '' : JSON.stringify(opened);
  const tryBundle = (outputDir: string): boolean => {
    if (existsSync(join(folder, 'index.js'))) cpSync(folder, outputDir, { recursive: true });
    else bundleFunction(join(folder, 'handler.ts'), outputDir);
    if (file !== '') writeFileSync(join(outputDir, OPENED_FILE), file);
    return true;
  };
  // The CDK bundles a folder once for all stacks of an app, unless these options tell them apart: hence the environment.
  const bundling = { image: DockerImage.fromRegistry('none'), environment: { opened: file }, local: { tryBundle } };
  const code = Code.fromAsset(folder, { assetHashType: AssetHashType.OUTPUT, bundling });
  return { code, handler: 'index.handler' };
}
