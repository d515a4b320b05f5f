import { Validations } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { SENSOR_NEEDS } from '../functions/sensors/permissions.ts';
import type { SensorNeeds } from '../functions/sensors/permissions.ts';
import { intersect } from './arn-pattern.ts';
import type { LambdaFunction } from './lambda-function.ts';

/**
 * Gives a function what the sensors declare, on no more than the operator allows; a permission whose resources nobody
 * opened is not given at all.
 */
export function grantSensors(grantee: LambdaFunction, allow: readonly string[]): void {
  const wanted = SENSOR_NEEDS.flatMap(({ permissions }) => permissions);
  grantNarrowed(grantee, allow, wanted, 'Sensors read what the operator opened (allow), and nothing else.');
}

/** Gives a function what ending the watched work needs, narrowed in the same way; for operators who opt in to it. */
export function grantCancelling(grantee: LambdaFunction, allow: readonly string[]): void {
  const wanted = SENSOR_NEEDS.flatMap(({ cancelling }) => cancelling);
  grantNarrowed(grantee, allow, wanted, 'The operator lets users end what they watch (allowCancel), within allow.');
}

function grantNarrowed(
  grantee: LambdaFunction,
  allow: readonly string[],
  permissions: SensorNeeds['permissions'],
  reason: string,
): void {
  for (const { actions, resources } of permissions) {
    const narrowed = resources.flatMap((wanted) => allow.flatMap((open) => intersect(wanted, open) ?? []));
    const resourceArns = [...new Set(narrowed)];
    if (resourceArns.length === 0) continue;
    Grant.addToPrincipal({ grantee, actions: [...actions], resourceArns });
    for (const arn of resourceArns.filter((text) => text.includes('*'))) {
      Validations.of(grantee).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${arn}]`,
        reason,
      });
    }
  }
}
