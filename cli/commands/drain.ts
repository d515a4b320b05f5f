import { Command } from 'commander';
import { confirmed, refuseUnasked } from '../confirm.ts';
import type { ConfirmOptions } from '../confirm.ts';
import type { Context } from '../context.ts';
import { COUNTED, drain } from '../drain.ts';
import type { Drained } from '../drain.ts';
import { EXIT } from '../failures.ts';
import type { CommonOptions } from '../options.ts';
import type { Out } from '../output.ts';
import { createProgress } from '../progress.ts';
import { findStateMachines } from '../state-machines.ts';
import { count, counted } from '../words.ts';

const EXAMPLES = `
Examples:
  $ sensorium drain
  $ sensorium drain --yes --json
  $ sensorium drain --callers         (also stops the executions of SubmitAndWait)
It pauses every queue and stops the executions of mode deferrable; tasks stay in the table as they are. It may be
repeated. To go on instead: sensorium queues set <name> --no-paused. Needs states:ListExecutions and
states:StopExecution besides what the API asks for. Exit code 2 where something still runs.`;

interface Options extends CommonOptions, ConfirmOptions {
  readonly callers?: boolean;
}

export function drainCommand({ run }: Context): Command {
  return new Command('drain')
    .description('stop what the service has begun by itself, before it is destroyed')
    .option('--callers', 'stop the executions of SubmitAndWait as well, which belong to whoever started them')
    .option('--yes', 'do not ask')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) =>
      run(options, async (session) => {
        const { io, out } = session;
        refuseUnasked(session, options, 'This stops the service');
        const machines = await findStateMachines(session.options, io);
        const { callers = false } = options;
        const more = callers ? ' and those of SubmitAndWait' : '';
        if (!(await confirmed(session, options, `pause every queue, stop its executions${more}`))) {
          out.note('nothing was changed');
          return EXIT.failed;
        }
        const progress = createProgress(io, 'executions stopped');
        const drained = await drain(await session.client(), machines, { callers }, progress);
        if (out.json) out.document(drained);
        else print(drained, out);
        return drained.running > 0 || (callers && drained.callers_running > 0) ? EXIT.open : EXIT.done;
      }),
    );
}

function print(drained: Drained, out: Out): void {
  const { paused, paused_before, stopped, running, callers_stopped, callers_running, tasks, runs } = drained;
  const executions = (value: number): string => counted(value, 'execution');
  out.line(`paused: ${paused.join(', ') || 'no queue'}`);
  if (paused_before.length > 0) out.line(`were paused before: ${paused_before.join(', ')}`);
  out.line(`stopped: ${executions(stopped)} of mode deferrable`);
  if (callers_stopped > 0) out.line(`stopped: ${executions(callers_stopped)} of SubmitAndWait`);
  out.line('left:');
  if (running > 0) out.line(`  ${executions(running)} of mode deferrable: somebody still submits; repeat the command`);
  for (const [queue, active] of Object.entries(tasks)) {
    out.line(
      `  ${active === COUNTED ? `${count(active)} tasks or more` : counted(active, 'task')} of ${queue}, in the table`,
    );
  }
  if (runs > 0) out.line(`  ${counted(runs, 'worker')} of mode poke: ended by themselves in 15 minutes`);
  if (callers_running > 0) {
    out.line(`  ${executions(callers_running)} of SubmitAndWait: their callers'; --callers stops them`);
  }
  out.line('  waitFor states and the machines of submitAndWaitIn: the service does not know them');
}
