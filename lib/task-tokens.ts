import { ArnFormat, Stack, Token, Validations } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { LambdaFunction } from './lambda-function.ts';

/**
 * Allows a function to answer for task tokens (`SendTaskSuccess`). Whose token it is only the token knows: any state
 * machine of this account and Region may have submitted. Another account's tokens cannot be answered at all.
 */
export function grantTaskTokens(
  grantee: LambdaFunction,
  ...actions: readonly `SendTask${'Success' | 'Failure'}`[]
): void {
  const stack = Stack.of(grantee);
  const stateMachines = stack.formatArn({
    service: 'states',
    resource: 'stateMachine',
    resourceName: '*',
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  Grant.addToPrincipal({
    grantee,
    actions: actions.map((action) => `states:${action}`),
    resourceArns: [stateMachines],
  });
  const shown = (value: string, name: string): string => (Token.isUnresolved(value) ? `<AWS::${name}>` : value);
  const arn = [
    'arn',
    shown(stack.partition, 'Partition'),
    'states',
    shown(stack.region, 'Region'),
    shown(stack.account, 'AccountId'),
    'stateMachine',
    '*',
  ].join(':');
  Validations.of(grantee).acknowledge({
    id: `AwsSolutions-IAM5[Resource::${arn}]`,
    reason: 'Any state machine of the account may wait; whoever holds no token of it can tell it nothing.',
  });
}
