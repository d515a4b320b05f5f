import { ArnFormat, Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** @returns the ARN of something of Step Functions in the scope's account and Region. */
export function statesArn(scope: Construct, resource: 'stateMachine' | 'execution', name: string): string {
  const format = { service: 'states', resource, resourceName: name, arnFormat: ArnFormat.COLON_RESOURCE_NAME };
  return Stack.of(scope).formatArn(format);
}

/** @returns the same as the rules of cdk-nag spell it, where account and Region are not known yet. */
export function shownStatesArn(scope: Construct, resource: 'stateMachine' | 'execution', name: string): string {
  const { partition, region, account } = Stack.of(scope);
  const shown = (value: string, as: string): string => (Token.isUnresolved(value) ? `<AWS::${as}>` : value);
  const place = [shown(partition, 'Partition'), 'states', shown(region, 'Region'), shown(account, 'AccountId')];
  return ['arn', ...place, resource, name].join(':');
}
