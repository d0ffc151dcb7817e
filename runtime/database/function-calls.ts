import type { Database, Row } from './database.js';

/** Calls functions of the schema, each prepared under its name; returns the first row. Their commits must be safe. */
export const functionCalls =
  (database: Pick<Database, 'rows'>) =>
  async (name: string, ...values: unknown[]): Promise<Row> => {
    const text = `SELECT * FROM ${name}(${values.map((_, index) => `$${index + 1}`).join(', ')})`;
    const [row = []] = await database.rows({ name, text, values, isAcknowledged: true });
    return row;
  };
