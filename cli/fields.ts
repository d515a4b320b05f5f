/** The flags of tasks and sensors, out of the schemas that the service validates with. */
import type { core } from 'zod/mini';
import type { Fields, Schema } from './flags.ts';

/** Loads the schemas of all sensors: a moment that only the commands take that have these flags. */
export async function loadFields(): Promise<Fields> {
  const [z, { fieldsOf }, { COMMON_FLAGS }, { submittedTask }, { SENSOR_NOTES, TASK_NOTES }, { KINDS }] =
    await Promise.all([
      import('zod/mini'),
      import('./flags.ts'),
      import('./options.ts'),
      import('../functions/api/schemas/task.ts'),
      import('../functions/api/schemas/notes.ts'),
      import('../functions/sensors/list.ts'),
    ]);
  // What comes in is described, not what becomes of it. JSON Schema's own type is wider than what is read of it here.
  const schemaOf = (schema: core.$ZodType): Schema =>
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  const task = fieldsOf(schemaOf(submittedTask), { notes: TASK_NOTES, without: ['sensor', 'callback'] });
  const taken = [...COMMON_FLAGS, ...OWN_FLAGS, ...task.map(({ flag }) => flag)];
  const sensors = KINDS.map(({ type, summary, schema }) => ({
    type,
    summary,
    fields: fieldsOf(schemaOf(schema), { taken, notes: SENSOR_NOTES[type] ?? {}, without: ['type'] }),
  }));
  return { task, sensors };
}

/** Flags of `submit` and `estimate` themselves. */
const OWN_FLAGS = ['file', 'wait', 'assign-ids', 'duplicates', 'waiting'];
