import type { StoreDeps } from './deps.ts';
import { budgetKey } from './keys.ts';
import type { Booking, Store } from './store.ts';
import type { Clause, Condition, Item } from './table.ts';

/** Up to this instant calls are booked; what is booked from then on begins there. */
const UNTIL = 'booked_until';

/** Each failed attempt means that others booked in between; more than this is no room. */
const ATTEMPTS = 6;

/** The bookings' part of the store: which calls of a rate budget are somebody's already. */
export function bookingStore({ writes }: StoreDeps): Pick<Store, 'bookCalls'> {
  /** Where others book too: an addition loses no race but against the end of the room. */
  const add = (key: string, { everyMs, until }: Booking, calls: number, after: number) =>
    writes.updateOnce(key, { add: { [UNTIL]: calls * everyMs } }, [
      { attr: UNTIL, op: '>=', value: after },
      { attr: UNTIL, op: '<=', value: until - calls * everyMs },
    ]);

  /** Where nothing is booked any more: it begins anew, IF nobody else has begun. */
  const begin = (key: string, { everyMs }: Booking, calls: number, after: number, condition: Condition) =>
    writes.update({ key, change: { set: { [UNTIL]: after + calls * everyMs } }, condition });

  return {
    async bookCalls(queue, budget, booking, now) {
      const key = budgetKey(queue, budget);
      const after = now + booking.leadMs;
      let { known } = booking;
      let lost: Item | undefined;
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const begun = known === undefined || known < now;
        const calls = Math.min(booking.calls, fitting(Math.max(known ?? after, after), booking));
        if (calls < 1) return undefined;
        // A record that cannot be read is a memory that was lost: it is written anew.
        const condition = lost === undefined ? isOver(begun ? now : after) : [asSeen(lost)];
        const answer =
          known === undefined || known < after
            ? await begin(key, booking, calls, after, condition)
            : await add(key, booking, calls, after);
        const stands = answer.item?.[UNTIL];
        if (answer.done && typeof stands === 'number') return { from: stands - calls * booking.everyMs, calls, begun };
        known = typeof stands === 'number' ? stands : undefined;
        lost = known === undefined ? answer.item : undefined;
      }
      return undefined;
    },
  };
}

function isOver(now: number): Condition {
  return [
    {
      any: [
        { attr: UNTIL, op: 'missing' },
        { attr: UNTIL, op: '<', value: now },
      ],
    },
  ];
}

function asSeen({ op_id }: Item): Clause {
  return typeof op_id === 'string'
    ? { attr: 'op_id', op: '=', value: op_id }
    : { attr: 'op_id', op: op_id === undefined ? 'missing' : 'exists' };
}

function fitting(from: number, { until, everyMs }: Booking): number {
  // A millionth is the rounding of the division, not room.
  return Math.floor((until - from) / everyMs + 1e-6);
}
