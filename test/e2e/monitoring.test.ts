import { readdirSync } from 'node:fs';
import { paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { afterAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { METRICS } from '../../functions/metrics.ts';
import { IDENTITY } from '../../local/identity.ts';
import { STACK } from '../../local/service.ts';
import { createSignedFetch } from '../../local/signed-fetch.ts';
import { connect } from './service.ts';

const service = connect();
const signedFetch = createSignedFetch({ ...IDENTITY, service: 'monitoring' });

afterAll(() => service.leave());

/** CloudWatch without its client, which is used nowhere else. */
async function cloudWatch(operation: string, body: object): Promise<unknown> {
  const response = await signedFetch({
    method: 'POST',
    url: `${service.endpoint}/`,
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `GraniteServiceVersion20100801.${operation}`,
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`${operation} was answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** @returns the names of the stack's resources of a type. */
async function resources(type: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const page of paginateListStackResources(
    { client: service.clients.cloudFormation },
    { StackName: STACK },
  )) {
    for (const { ResourceType, PhysicalResourceId } of page.StackResourceSummaries ?? []) {
      if (ResourceType === type && PhysicalResourceId !== undefined) names.push(PhysicalResourceId);
    }
  }
  return names.toSorted();
}

const Alarms = z.object({
  MetricAlarms: z.array(
    z.object({
      AlarmName: z.string(),
      AlarmDescription: z.string(),
      Namespace: z.string(),
      MetricName: z.string(),
      Threshold: z.number(),
      ComparisonOperator: z.string(),
      TreatMissingData: z.string(),
    }),
  ),
});

describe('the alarms of the deployed service', () => {
  test('are all there, each with a runbook of its own, and no runbook is left over', async () => {
    const { MetricAlarms } = Alarms.parse(await cloudWatch('DescribeAlarms', { AlarmNamePrefix: `${STACK}-` }));
    const deployed = await resources('AWS::CloudWatch::Alarm');
    const ours = MetricAlarms.filter(({ AlarmName }) => deployed.includes(AlarmName));
    expect(ours.map(({ AlarmName }) => AlarmName).toSorted()).toEqual(deployed);

    const runbooks = ours.map(({ AlarmDescription }) => /Runbook: docs\/runbooks\/(\S+)$/.exec(AlarmDescription)?.[1]);
    expect(new Set(runbooks)).toEqual(new Set(readdirSync('docs/runbooks')));
    expect(new Set(runbooks).size).toBe(deployed.length);
  });

  test('one is off when nothing ticks, and when nobody says anything', async () => {
    const { MetricAlarms } = Alarms.parse(await cloudWatch('DescribeAlarms', { AlarmNamePrefix: `${STACK}-` }));
    const loud = MetricAlarms.filter(({ TreatMissingData }) => TreatMissingData === 'breaching');
    expect(loud).toMatchObject([
      { Namespace: 'AWS/Lambda', MetricName: 'Invocations', Threshold: 1, ComparisonOperator: 'LessThanThreshold' },
    ]);
  });
});

const Dashboard = z.object({ DashboardBody: z.string() });
const Body = z.object({
  widgets: z.array(z.object({ properties: z.object({ title: z.string(), metrics: z.array(z.array(z.unknown())) }) })),
});

test('the dashboard is there and shows every metric of the service', async () => {
  const [name = '', ...others] = await resources('AWS::CloudWatch::Dashboard');
  expect(others).toEqual([]);
  const { DashboardBody } = Dashboard.parse(await cloudWatch('GetDashboard', { DashboardName: name }));
  const { widgets } = Body.parse(JSON.parse(DashboardBody));
  const shown = widgets.flatMap(({ properties }) => properties.metrics.map(([, metric]) => metric));
  expect(new Set(shown)).toEqual(new Set(Object.keys(METRICS)));
});
