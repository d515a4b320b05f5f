import type { Table } from '../../functions/store/table.ts';

/**
 * A table that applies every write and loses its answer: the client sends it again, and the caller hears what the second one
 * said. What holds on a table must hold on this one too.
 */
export function losingAnswers(table: Table): Table {
  const twice = async <Answer>(write: () => Promise<Answer>): Promise<Answer> => {
    await write();
    return write();
  };
  return {
    get: (key) => table.get(key),
    getMany: (keys) => table.getMany(keys),
    query: (query) => table.query(query),
    count: (query) => table.count(query),
    update: (update) => twice(() => table.update(update)),
    updateMany: (updates) => twice(() => table.updateMany(updates)),
    insertMany: (items) => twice(() => table.insertMany(items)),
    delete: (key, condition) => twice(() => table.delete(key, condition)),
  };
}
