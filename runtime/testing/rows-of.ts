import { connect } from '../database/connect.js';

/** The rows of a query over a separate connection, as text. */
export async function rowsOf(url: string, text: string): Promise<string[][]> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
    return rows.map((row) => row.map(String));
  } finally {
    await client.end();
  }
}
