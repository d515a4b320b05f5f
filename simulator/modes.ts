import type { ScenarioMode } from './format.ts';

/** Modes that the service does not have yet: a scenario's run in one of them is left out, by name. */
export const MODES_LEFT_OUT: ReadonlySet<ScenarioMode> = new Set<ScenarioMode>();
