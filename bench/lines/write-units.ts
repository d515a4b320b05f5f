import { itemBytes } from '../../functions/store/item-size.ts';
import { taskItem } from '../../functions/store/task-item.ts';
import { atMost } from '../row.ts';
import type { Line } from '../row.ts';
import { playOut, times } from '../play-out.ts';

const EQUAL = 100;
const HELD_AT = 600;

/** What a task costs from its submit to its success, its share of its target included; its target's end is waited for. */
export const writeUnitsALife: Line = {
  name: 'write-units',
  async run() {
    const tasks = times(EQUAL, (n) => ({
      id: `orders-daily-ready-${n}`,
      sensor: { type: 's3_key', bucket: 'landing', key: 'orders/2024-01-01/_SUCCESS' },
      timeout: 21_600,
      dag_id: 'orders_daily',
      task_id: 'wait_for_orders',
      run_id: 'scheduled__2024-01-01T00:00:00+00:00',
      logical_date: '2024-01-01T00:00:00Z',
    }));
    const { meter, tasks: ended } = await playOut({
      submits: [{ at: 0, tasks }],
      until: HELD_AT + 1200,
      world: { s3: { 'landing/orders/2024-01-01/_SUCCESS': [{ at: HELD_AT, present: true }] } },
      metered: true,
    });
    const [first] = ended;
    if (first === undefined || ended.some(({ state }) => state !== 'success'))
      throw new Error('not all have succeeded');
    const units = meter.writes('task', 'target') / EQUAL;
    return {
      rows: [
        atMost(
          'write units a task, submit to success, 100 equal tasks',
          units,
          8,
          '2 of the table, 7 with indexes',
          'units',
        ),
      ],
      sheets: [
        {
          title: 'write units by record (30 minutes, 100 equal tasks)',
          columns: ['record', 'units', 'a task'],
          rows: [
            ['task', meter.writes('task'), meter.writes('task') / EQUAL],
            ['target', meter.writes('target'), meter.writes('target') / EQUAL],
            ['shard (leases and ticks)', meter.writes('shard'), meter.writes('shard') / EQUAL],
            ['queue', meter.writes('queue', 'slots'), meter.writes('queue', 'slots') / EQUAL],
            ['bytes of an ended task', Math.max(...ended.map((task) => itemBytes(taskItem(task)))), ''],
          ],
        },
      ],
    };
  },
};
