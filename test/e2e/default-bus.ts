import { randomUUID } from 'node:crypto';
import { ListTargetsByRuleCommand, ListRulesCommand, TestEventPatternCommand } from '@aws-sdk/client-eventbridge';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { IDENTITY } from '../../local/identity.ts';
import { STACK } from '../../local/service.ts';
import type { Service } from './service.ts';

export interface AwsEvent {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: object;
}

/**
 * Does what the default bus does with an event of AWS's own. Nobody else may put one on it, here as there: `PutEvents`
 * refuses sources that begin with `aws.`.
 * @returns how many of the service's rules it matched
 */
export async function happen({ clients, endpoint }: Service, { source, ...said }: AwsEvent): Promise<number> {
  const envelope = { version: '0', id: randomUUID(), source, account: '000000000000', region: IDENTITY.region };
  const event = JSON.stringify({ ...envelope, time: new Date().toISOString(), resources: [], ...said });
  const targets = await targetsOf(clients.events, event);
  const lambda = new LambdaClient({ ...IDENTITY, endpoint });
  for (const FunctionName of targets.flat()) {
    await lambda.send(new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload: event }));
  }
  lambda.destroy();
  return targets.length;
}

/** @returns the targets of each rule that an event matches. */
async function targetsOf(events: EventBridgeClient, Event: string): Promise<readonly (readonly string[])[]> {
  const { Rules = [] } = await events.send(new ListRulesCommand({ NamePrefix: STACK }));
  const found: string[][] = [];
  for (const { Name: Rule, EventPattern } of Rules) {
    // The schedule has none.
    if (EventPattern === undefined) continue;
    const { Result = false } = await events.send(new TestEventPatternCommand({ Event, EventPattern }));
    if (!Result) continue;
    const { Targets = [] } = await events.send(new ListTargetsByRuleCommand({ Rule }));
    found.push(Targets.flatMap(({ Arn }) => Arn ?? []));
  }
  return found;
}
