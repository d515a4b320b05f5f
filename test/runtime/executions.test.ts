import { afterAll, describe, expect, test } from '@jest/globals';
import type { PokeEvent } from '../../functions/deferral/events.ts';
import { createExecutions } from '../../functions/runtime/executions.ts';
import { scriptedSfn } from './scripted-sfn.ts';
import type { Reply } from './scripted-sfn.ts';

const ARN = 'arn:aws:states:eu-west-1:111122223333:stateMachine:Waits';

let reply: (input: object) => Reply = () => ({});
const { client, sent } = scriptedSfn((_, input) => reply(input));
const executions = createExecutions(ARN, client);

afterAll(() => client.destroy());

const input: PokeEvent = {
  kind: 'poke',
  queue: 'q',
  hashcode: '42',
  generation: 7,
  hop: 0,
  pokes: 0,
  at: '2024-01-01T00:00:00.000Z',
  began_at: 1,
  looked_at: 1,
};

const started = { executionArn: 'arn', startDate: 1 };

describe('executions', () => {
  test.each<[string, Reply]>([
    ['a new one', started],
    ['one whose name is taken', 'ExecutionAlreadyExists'],
  ])('are started by their name: %s', async (_, answer) => {
    reply = () => answer;
    await executions.start('h-7-0', input);
    expect(sent.at(-1)).toEqual([
      'StartExecution',
      { stateMachineArn: ARN, name: 'h-7-0', input: JSON.stringify(input) },
    ]);
  });

  test.each<[string, Reply]>([
    ['one that runs', { stopDate: 1 }],
    ['one that is not there', 'ExecutionDoesNotExist'],
  ])('are stopped by their name: %s', async (_, answer) => {
    reply = () => answer;
    await executions.stop('h-7-0');
    const executionArn = 'arn:aws:states:eu-west-1:111122223333:execution:Waits:h-7-0';
    expect(sent.at(-1)).toMatchObject(['StopExecution', { executionArn }]);
  });

  test('are listed page by page', async () => {
    const one = (name: string) => ({ name, executionArn: name, stateMachineArn: ARN, status: 'RUNNING', startDate: 1 });
    reply = (asked) => ('nextToken' in asked ? { executions: [one('b')] } : { executions: [one('a')], nextToken: 'n' });
    expect(await executions.running()).toEqual(new Set(['a', 'b']));
    expect(sent.at(-1)).toEqual([
      'ListExecutions',
      { stateMachineArn: ARN, statusFilter: 'RUNNING', maxResults: 1000, nextToken: 'n' },
    ]);
  });

  test('that cannot be reached are no secret', async () => {
    reply = () => 'StateMachineDoesNotExist';
    await expect(executions.start('h-7-0', input)).rejects.toThrow('so it is');
    await expect(executions.running()).rejects.toThrow('so it is');
  });
});
