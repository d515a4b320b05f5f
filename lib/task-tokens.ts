import { Validations } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { LambdaFunction } from './lambda-function.ts';
import { shownStatesArn, statesArn } from './states-arn.ts';

/**
 * Allows a function to answer for task tokens (`SendTaskSuccess`). Whose token it is only the token knows: any state
 * machine of this account and Region may have submitted. Another account's tokens cannot be answered at all.
 */
export function grantTaskTokens(
  grantee: LambdaFunction,
  ...actions: readonly `SendTask${'Success' | 'Failure'}`[]
): void {
  Grant.addToPrincipal({
    grantee,
    actions: actions.map((action) => `states:${action}`),
    resourceArns: [statesArn(grantee, 'stateMachine', '*')],
  });
  Validations.of(grantee).acknowledge({
    id: `AwsSolutions-IAM5[Resource::${shownStatesArn(grantee, 'stateMachine', '*')}]`,
    reason: 'Any state machine of the account may wait; whoever holds no token of it can tell it nothing.',
  });
}
