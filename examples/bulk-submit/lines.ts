/**
 * Prints tasks as JSON lines: 50 DAGs that each wait for the same 20 tables of a night.
 *
 *   npx tsx examples/bulk-submit/lines.ts --bucket landing --date 2024-01-01 > tasks.jsonl
 */
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    bucket: { type: 'string', default: 'landing' },
    date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    queue: { type: 'string', default: 'nightly' },
    dags: { type: 'string', default: '50' },
    tables: { type: 'string', default: '20' },
  },
});
const { bucket, date, queue } = values;
const numbers = (count: string) => Array.from({ length: Number(count) }, (_, index) => index + 1);

for (const dag of numbers(values.dags)) {
  for (const table of numbers(values.tables)) {
    const task = {
      // Submitting the file again makes nothing twice.
      id: `${queue}:${date}:dag-${dag}:table-${table}`,
      queue,
      dag_id: `dag-${dag}`,
      run_id: date,
      task_id: `wait-for-table-${table}`,
      sensor: { type: 's3_key', bucket, key: `tables/${table}/${date}/_SUCCESS` },
      timeout: 'PT8H',
    };
    console.log(JSON.stringify(task));
  }
}
