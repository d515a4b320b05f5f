/** Planted faults of transitions: who may write, what is written, who is told. */
import { eventOf } from '../../functions/notifier/event.ts';
import { isTerminal } from '../../functions/core/task.ts';
import type { Task } from '../../functions/core/task.ts';
import type { Store } from '../../functions/store/store.ts';
import { TableError } from '../../functions/store/table.ts';
import { changedMoves, changedStore, changedTable } from './mutant.ts';
import type { Mutant } from './mutant.ts';

export const moves = {
  'move-without-its-condition': {
    what: 'a transition is written whatever stands there by now',
    rig: () => ({
      table: changedTable('TASK#', {
        update: (update) => ({ ...update, condition: [{ attr: 'pk', op: 'exists' }] }),
        many: (update) => ({ ...update, condition: [] }),
      }),
    }),
  },
  'move-without-its-rev': {
    what: 'a transition looks at state and try, not at the rev',
    rig: () => ({
      table: changedTable('TASK#', {
        many: (update) => ({ ...update, condition: update.condition.filter(({ attr }) => attr !== 'rev') }),
        update: ({ condition = [], ...update }) => ({
          ...update,
          condition: condition.filter((clause) => 'any' in clause || clause.attr !== 'rev'),
        }),
      }),
    }),
  },
  'op-id-ignored': {
    what: 'a write whose answer was lost takes itself for somebody else',
    rig: () => ({
      table: changedTable('', {
        answer: (answer) =>
          answer.done || answer.item === undefined ? answer : { ...answer, item: { ...answer.item, op_id: 'nobody' } },
      }),
    }),
  },
  'alert-before-commit': {
    what: 'the alert goes out before the transition is written',
    rig: () => ({
      store: (store, life, { alert }) => {
        const tell = (seen: Task, next: Task): void => {
          const event = eventOf({ before: seen, after: next });
          if (event !== undefined) alert(event);
        };
        return {
          ...store,
          move(seen, next) {
            tell(seen, next);
            return store.move(seen, next);
          },
          moveMany(all) {
            for (const { seen, next } of all) tell(seen, next);
            return store.moveMany(all);
          },
        };
      },
    }),
  },
  'alerts-left-out': {
    what: 'of a batch of the stream the last change is not told',
    rig: () => ({ notified: (changes) => (changes.length > 1 ? changes.slice(0, -1) : changes) }),
  },
  'skipped-not-asked-for': {
    what: "the notifier's pattern over the stream leaves a state out",
    rig: () => ({
      told: (patterns) =>
        patterns.map(({ dynamodb, ...pattern }) => {
          const { state } = dynamodb.NewImage;
          if (state === undefined || !('S' in state)) throw new Error('the pattern names no states');
          const others = { S: state.S.filter((rule) => rule !== 'skipped') };
          return { ...pattern, dynamodb: { ...dynamodb, NewImage: { ...dynamodb.NewImage, state: others } } };
        }),
    }),
  },
  'mark-overwritten': {
    what: 'who loses a race against a mark writes again over it',
    rig: () => ({
      store: changedStore(
        (store) => ({
          async moveMany(all) {
            const again = async (answer: Awaited<ReturnType<Store['moveMany']>>[number], next: Task | undefined) => {
              if (answer instanceof TableError || answer.moved || next === undefined) return answer;
              const { current } = answer;
              const isOver = current !== undefined && isTerminal(current.state) && current.state !== next.state;
              return isOver ? store.move(current, { ...next, rev: current.rev + 1 }) : answer;
            };
            const answers = await store.moveMany(all);
            return Promise.all(answers.map((answer, index) => again(answer, all[index]?.next)));
          },
        }),
        'shard-worker',
      ),
    }),
  },
  'deadline-moved-by-reschedule': {
    what: 'a reschedule gives the try a new deadline',
    rig: () => ({
      store: changedMoves((seen, next) =>
        next.state === 'up_for_reschedule' ? { ...next, deadline: next.updated_at + next.exec.timeout * 1000 } : next,
      ),
    }),
  },
  'deadline-moved-by-reading': {
    what: 'who reads the members of a target reads their deadlines anew',
    rig: () => ({
      store: changedStore((store) => ({
        async members(id, options) {
          const page = await store.members(id, options);
          return { ...page, tasks: page.tasks.map((task) => ({ ...task, deadline: task.deadline + 30_000 })) };
        },
      })),
    }),
  },
  'retries-without-end': {
    what: 'a retry allows for one more',
    rig: () => ({
      store: changedMoves(
        (seen, next) =>
          seen.state === 'up_for_retry' && next.try_number > seen.try_number
            ? { ...next, max_tries: next.max_tries + 1 }
            : next,
        'shard-worker',
      ),
    }),
  },
  'soft-fail-swallows-failures': {
    what: 'soft_fail turns every failure into a skip',
    rig: () => ({
      store: changedMoves(
        (seen, next) => (next.exec.soft_fail && next.state === 'failed' ? { ...next, state: 'skipped' } : next),
        'shard-worker',
      ),
    }),
  },
} as const satisfies Readonly<Record<string, Mutant>>;
