/** An SDK client of the simulated world: the commands are the real ones, the answers are scripted. */
import type { Sender } from '../../functions/sensors/sensor.ts';
import type { Faults } from '../faults.ts';
import type { Ledger } from '../ledger.ts';
import type { Life } from '../life.ts';
import { CALL_MS } from '../sim-table.ts';
import type { VirtualTime } from '../virtual-time.ts';
import { AwsError, awsError, muted } from './aws-error.ts';

/** What a service answers now; throws an AwsError for what it refuses. */
export type Answerer = (operation: string, input: Readonly<Record<string, unknown>>) => unknown;

interface SdkCommand {
  readonly constructor: { readonly name: string };
  readonly input: Readonly<Record<string, unknown>>;
}

export interface SenderDeps {
  readonly time: VirtualTime;
  readonly faults: Faults;
  readonly ledger: Ledger;
}

/** @returns the client of a service as the invocation with this life sees it. */
export function scriptedSender(
  { time, faults, ledger }: SenderDeps,
  life: Life,
  service: 's3' | 'emr',
  answer: Answerer,
): Sender {
  const never = new Promise<never>(() => undefined);
  return {
    async send(command: never) {
      const { constructor, input } = command as SdkCommand;
      const operation = operationOf(constructor);
      if (!life.alive()) return never;
      ledger.call(service, operation);
      const fate = faults.fate(service, operation);
      // The answer is the world's at the moment of the call; it takes a while to come.
      const said = fate.kind === 'error' ? awsError(fate.error) : attempt(() => answer(operation, input));
      const outcome = said instanceof AwsError && operation.startsWith('Head') ? muted(said) : said;
      if (fate.kind === 'hang') return never;
      if (fate.kind === 'crash' || fate.kind === 'last') life.kill();
      const over = life.account.begin(service);
      await life.hears(time.clock.sleep(CALL_MS));
      over();
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  };
}

const operations = new WeakMap<object, string>();

/** @returns `HeadObject` of the class `HeadObjectCommand`. */
function operationOf(command: SdkCommand['constructor']): string {
  const operation = operations.get(command) ?? command.name.replace(/Command$/, '');
  operations.set(command, operation);
  return operation;
}

function attempt(ask: () => unknown): unknown {
  try {
    return ask();
  } catch (error) {
    return error;
  }
}
