import { describe, expect, test } from '@jest/globals';
import {
  DEFAULT_SETTINGS,
  ENVIRONMENT,
  parseKey,
  parseSettings,
  readEnvironment,
  SettingsError,
  VARIABLES,
} from '../functions/settings.ts';
import type { FunctionName } from '../functions/settings.ts';

const names = Object.keys(ENVIRONMENT) as FunctionName[];
const everything = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, 'x']));

describe('environments', () => {
  test.each(names)('%s: each missing or empty variable is named', (name) => {
    expect(readEnvironment(name, everything)).toMatchObject(
      Object.fromEntries(ENVIRONMENT[name].map((variable) => [variable, 'x'])),
    );
    for (const variable of ENVIRONMENT[name]) {
      for (const missing of [undefined, '']) {
        const given = { ...everything, [variable]: missing };
        expect(() => readEnvironment(name, given)).toThrow(SettingsError);
        expect(() => readEnvironment(name, given)).toThrow(`${variable} is not set (${VARIABLES[variable]})`);
      }
    }
  });

  test('all that is missing is named at once', () => {
    expect(() => readEnvironment('api', {})).toThrow(/TABLE_NAME.*ALLOW.*SETTINGS.*PAGE_TOKEN_KEY/);
  });
});

describe('settings', () => {
  test('the defaults', () => {
    expect(parseSettings('{}')).toEqual(DEFAULT_SETTINGS);
    expect(DEFAULT_SETTINGS).toEqual({
      tick_seconds: 60,
      shard_code_upper_limit: 64,
      shards: 16,
      infra_window_seconds: 7800,
      poke_timeout_seconds: 10,
      poke_run_seconds: 840,
      max_concurrency: 500,
      metrics_namespace: 'Sensorium',
    });
  });

  test('what is given is taken, the rest stays', () => {
    expect(parseSettings('{"poke_timeout_seconds": 2}')).toEqual({ ...DEFAULT_SETTINGS, poke_timeout_seconds: 2 });
  });

  test.each([
    ['', 'SETTINGS is no JSON'],
    ['[]', 'SETTINGS: body must be an object'],
    ['{"tick": 1}', 'SETTINGS: tick is not a known field'],
    ['{"shards": 0}', 'SETTINGS: shards must be at least 1'],
    ['{"shards": 1.5}', 'SETTINGS: shards must be a whole number'],
    ['{"max_concurrency": 1}', 'SETTINGS: max_concurrency must be at least 2'],
    ['{"tick_seconds": "60"}', 'SETTINGS: tick_seconds must be a number'],
    ['{"metrics_namespace": "AWS/Lambda"}', 'SETTINGS: metrics_namespace'],
    ['{"metrics_namespace": "with space"}', 'SETTINGS: metrics_namespace'],
  ])('%s: %s', (text, message) => {
    expect(() => parseSettings(text)).toThrow(message);
  });

  test('a key has a length', () => {
    expect(() => parseKey('short')).toThrow('PAGE_TOKEN_KEY is too short');
    expect(parseKey('0123456789abcdef')).toBe('0123456789abcdef');
  });
});
