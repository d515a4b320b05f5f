/** The execution API, for workers outside of the service. */
import { runAnswer, stateAnswer } from '../functions/execution-api/answers.ts';
import { read } from './answers.ts';
import type { Places } from './path.ts';
import type { Transport } from './transport.ts';
import type { Heartbeat, Run, RunRequest, StateRequest, TryState } from './types/execution.ts';

export function createExecution(transport: Transport, { tries }: Places) {
  return {
    async run(id: string, worker: RunRequest): Promise<Run> {
      const to = tries(id, 'run');
      const { body } = await transport.call({ method: 'PATCH', path: to, body: worker, repeatable: true });
      return read(runAnswer, body, `PATCH /${to}`);
    },
    async state(id: string, ended: StateRequest): Promise<TryState | undefined> {
      const to = tries(id, 'state');
      // Of a task's id the current try is meant: a repeat that comes late could end the next one.
      const repeatable = id.includes('~') || ended.try_number !== undefined;
      const { status, body } = await transport.call({ method: 'PATCH', path: to, body: ended, repeatable });
      return status === 204 ? undefined : read(stateAnswer, body, `PATCH /${to}`);
    },
    async heartbeat(id: string, worker: Heartbeat): Promise<void> {
      await transport.call({ method: 'PUT', path: tries(id, 'heartbeat'), body: worker, repeatable: true });
    },
  };
}
