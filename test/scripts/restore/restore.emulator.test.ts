import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { taskItem } from '../../../functions/store/task-item.ts';
import { aTask } from '../../support/tasks.ts';
import { createEmulatorTable } from '../../store/emulator.ts';
import type { EmulatorTable } from '../../store/emulator.ts';

let backup: EmulatorTable;
let service: EmulatorTable;

beforeAll(async () => {
  backup = await createEmulatorTable('restore-from');
  service = await createEmulatorTable('restore-to');
});

afterAll(async () => {
  await backup.drop();
  await service.drop();
});

/** As somebody at a terminal runs it. */
function run(...args: readonly string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/restore.ts', ...args], {
    cwd: `${import.meta.dirname}/../../..`,
    encoding: 'utf8',
    env: { ...process.env, AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
  });
  return { stdout, stderr, status };
}

describe('npm run restore', () => {
  test('brings what is missing, and goes on where it ended', async () => {
    const items = Array.from({ length: 70 }, (_, n) => taskItem(aTask({}, { id: `t-${n}` })));
    await backup.table.insertMany(items.slice(0, 25));
    await backup.table.insertMany(items.slice(25, 50));
    await backup.table.insertMany(items.slice(50));
    const tables = ['--from', backup.tableName, '--to', service.tableName];

    expect(run(...tables, '--dry-run').stdout).toContain('tasks: 70 in the backup');
    expect(await service.table.get('TASK#t-3')).toBeUndefined();

    expect(run(...tables)).toMatchObject({ status: 0, stdout: expect.stringContaining('tasks: 70 brought, 0 there') });
    expect(await service.table.get('TASK#t-3')).toEqual(items[3]);
    expect(run(...tables).stdout).toContain('tasks: 0 brought, 70 there already');
  });

  test.each([
    [['--from', 'a'], '--from and --to are both needed'],
    [['--from', 'a', '--to', 'a'], 'the same table'],
    [['--form', 'a'], "'--form'"],
  ])('refuses %j', (args, sentence) => {
    expect(run(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(sentence) });
  });

  test('names a table that is not there', () => {
    const { status, stderr } = run('--from', 'no-such-table', '--to', service.tableName);
    expect(status).toBe(1);
    expect(stderr).toContain('ResourceNotFoundException');
  });
});
