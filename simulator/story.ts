/** What happens in a run, a line each, for people: what changed, when, and by whom. */
import type { Fact } from '../functions/core/untold.ts';
import type { Item, Value } from '../functions/store/table.ts';
import type { TableChange } from '../functions/store/memory-table.ts';
import type { PokeMade } from './gear.ts';

/** @param start epoch ms of second 0 */
export function createStory(start: number, now: () => number, tell: (line: string) => void) {
  const second = (at: Value | undefined): string => (typeof at === 'number' ? ((at - start) / 1000).toFixed(2) : '-');
  const line = (text: string): void => tell(`${second(now()).padStart(9)}  ${text}`);

  function record(key: string, item: Item): string {
    const kind = key.slice(0, key.indexOf('#'));
    switch (kind) {
      case 'TASK': {
        const history = item['history'];
        const last: unknown = Array.isArray(history) ? history.at(-1) : undefined;
        const { why = '', by = '' } = Object(last) as { why?: string; by?: string };
        return `${text(item['state'])}, try ${text(item['try_number'])}/${text(item['max_tries'])}, until ${second(item['deadline'])} (${why}; ${by})`;
      }
      case 'TARGET': {
        const asleep = item['dormant'] === undefined ? '' : `, dormant since ${second(item['dormant'])}`;
        const seen = item['observation'];
        const last = typeof seen === 'object' && seen !== null && 'kind' in seen ? `, ${text(seen.kind)}` : '';
        const check = item['check'] === true ? ', to be checked' : '';
        return `rev ${text(item['rev'])}, every ${text(item['poke_interval'])} s, until ${second(item['next_deadline'])}${asleep}${check}${last}`;
      }
      case 'SHARD': {
        const lease = item['lease_owner'] === undefined ? 'free' : `leased until ${second(item['lease_until'])}`;
        const { due = 0, dormant = 0, next_due_at } = Object(item['forecast']) as Record<string, number>;
        const owed = item['owed'];
        return `${lease}, ticked through ${second(item['ticked_through'])}, owed ${Array.isArray(owed) ? owed.length : 0}, expects ${due} at ${second(next_due_at)}, dormant ${dormant}`;
      }
      default: {
        const { desired, reason } = Object(item['decision']) as Record<string, Value>;
        return `${item['idle'] === true ? 'idle' : 'in use'}, desired ${text(desired)} (${text(reason)})`;
      }
    }
  }

  return {
    change: ({ key, new: item }: TableChange): void =>
      line(`${key}: ${item === undefined ? 'deleted' : record(key, item)}`),
    poke: ({ spec, observation }: PokeMade): void =>
      line(`poke ${JSON.stringify(spec)}: ${JSON.stringify(observation)}`),
    alert: ({ id }: Fact): void => line(`alert ${id}`),
    line,
  };
}

function text(value: Value | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
