import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseScenario } from '../../simulator/format.ts';
import { MODES_LEFT_OUT } from '../../simulator/modes.ts';
import { report } from '../../simulator/report.ts';
import { runScenario } from '../../simulator/scenario.ts';

const FOLDER = new URL('../scenarios/', import.meta.url);

const runs = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) => {
    const scenario = parseScenario(readFileSync(new URL(file, FOLDER), 'utf8'));
    return scenario.modes.filter((mode) => !MODES_LEFT_OUT.has(mode)).map((mode) => ({ file, mode, scenario }));
  });

describe('scenarios', () => {
  test.each(runs)(
    '$file [$mode]: $scenario.name',
    async ({ scenario, mode }) => {
      const outcome = await runScenario(scenario, mode);
      expect(outcome.misses.length === 0 ? [] : await report(outcome)).toEqual([]);
      // An invocation may fail for a fault that was injected, and for nothing else.
      expect(scenario.faults.length > 0 ? [] : outcome.stage.invocations.errors).toEqual([]);
    },
    120_000,
  );
});
