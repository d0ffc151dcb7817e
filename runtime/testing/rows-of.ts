import { connect } from '../database/connect.js';

/** What a query finds, over a connection of its own, as text. */
export async function rowsOf(url: string, text: string): Promise<string[][]> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
    return rows.map((row) => row.map(String));
  } finally {
    await client.end();
  }
}
