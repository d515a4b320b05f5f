import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nextCall, type Progress } from '../../functions/sensors/emr-step-plan.ts';

const START: Progress = { waited: 40, unseen: 40, pages: 0, more: true, floor: 0 };

interface Cluster {
  /** For each active step, newest first: whether it is waited for. */
  readonly active: readonly boolean[];
  /** Waited steps that have ended. */
  readonly ended: number;
}

/** @returns the calls that a poke makes, and the pages that the active steps are then known to have at the least. */
function round({ active, ended }: Cluster, floor: number): { readonly calls: number; readonly floor: number } {
  const waited = active.filter(Boolean).length + ended;
  let unseen = waited;
  let pages = 0;
  let more = true;
  while (nextCall({ waited, unseen, pages, more, floor }) === 'by_state') {
    unseen -= active.slice(pages * 50, (pages + 1) * 50).filter(Boolean).length;
    pages += 1;
    more = active.length > pages * 50;
  }
  return { calls: pages + Math.ceil(unseen / 10), floor: pages === 0 ? floor : more ? pages + 1 : 0 };
}

/** EMR has at most 256 active steps on a cluster. */
const clusters = fc.record({
  active: fc.array(fc.boolean(), { maxLength: 256, size: 'max' }),
  ended: fc.nat({ max: 60 }),
});

describe('the next call', () => {
  test.each<[string, Partial<Progress>, string]>([
    ['nothing is unseen', { unseen: 0 }, 'done'],
    ['ten are waited for', { waited: 10, unseen: 10 }, 'by_id'],
    ['eleven are waited for', { waited: 11, unseen: 11 }, 'by_state'],
    ['all active ones are read', { unseen: 20, pages: 1, more: false }, 'by_id'],
    ['one call by id ends it', { unseen: 10, pages: 1 }, 'by_id'],
    ['the pages cost as much as asking by id', { unseen: 40, pages: 4 }, 'by_id'],
    ['the pages still cost less', { unseen: 40, pages: 3 }, 'by_state'],
    ['the cluster is known to be crowded', { floor: 5 }, 'by_id'],
    ['the crowd is worth it', { floor: 4 }, 'by_state'],
  ])('%s', (_, progress, expected) => {
    expect(nextCall({ ...START, ...progress })).toBe(expected);
  });

  test('the calls are at most the cheaper way and one call for ten ended steps', () => {
    fc.assert(
      fc.property(clusters, (cluster) => {
        const waited = cluster.active.filter(Boolean).length + cluster.ended;
        const byId = Math.ceil(waited / 10);
        const byState = Math.max(1, Math.ceil(cluster.active.length / 50));
        const bound = Math.min(byId, byState) + Math.ceil(cluster.ended / 10);
        const first = round(cluster, 0);
        expect(first.calls).toBeLessThanOrEqual(byState <= byId ? bound : 2 * byId);
        // The second poke knows the crowd that the first has met.
        const known = round(cluster, first.floor);
        expect(known.calls).toBeLessThanOrEqual(bound);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['50 waited and active on a quiet cluster', 50, 50, 1],
    ['256 waited and active', 256, 256, 6],
    ['10 of a crowd', 10, 256, 1],
    ['40 of 45', 40, 45, 1],
  ])('%s', (_, waited, active, calls) => {
    const steps = Array.from({ length: active }, (__, index) => index < waited);
    expect(round({ active: steps, ended: 0 }, 0).calls).toBe(calls);
  });
});
