import { type Client } from 'pg';
import { connect } from '../../database/connect.js';

interface Writes {
  before: number;
  after: number;
  longestMs: number;
  readonly failures: string[];
}

/** Writes to the table orders while the body runs, and a little before and after it. */
export async function withWriters<T>(
  url: string,
  count: number,
  body: () => Promise<T>,
): Promise<{ readonly result: T; readonly writes: Writes }> {
  const writes: Writes = { before: 0, after: 0, longestMs: 0, failures: [] };
  const clients = await Promise.all(Array.from({ length: count }, () => connect(url)));
  const over = new AbortController();
  const writing = clients.map(async (client, index) => {
    for (let round = index; !over.signal.aborted; round += count) await write(client, round, writes);
  });
  try {
    await pause(300);
    const result = await body();
    await pause(300);
    return { result, writes };
  } finally {
    over.abort();
    await Promise.all(writing);
    await Promise.all(clients.map((client) => client.end()));
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * One insert or update of a service that works before and after the change: it writes cents while the column holds
 * cents. Both numbers are derived from the same row, so that they can be compared afterwards.
 */
async function write(client: Client, round: number, writes: Writes): Promise<void> {
  const began = performance.now();
  try {
    const { rows } = await client.query<{ type: string }>(statementOf(round));
    if (rows[0]?.type === 'integer') writes.before++;
    else writes.after++;
  } catch (error) {
    writes.failures.push(String(error));
  }
  writes.longestMs = Math.max(writes.longestMs, performance.now() - began);
}

const cents = '($1::int * 7 + 13) % 100000';
const amount = (value: string, column: string) =>
  `CASE WHEN pg_typeof(${column})::text = 'integer' THEN (${value})::numeric ELSE (${value}) / 100.0 END`;

function statementOf(round: number) {
  const typed = `(SELECT o.total FROM orders o LIMIT 1)`;
  const text =
    round % 3 === 0
      ? `INSERT INTO orders (total, cents) SELECT ${amount(cents, 't')}, ${cents} FROM ${typed} s(t) RETURNING pg_typeof(total)::text AS type`
      : `UPDATE orders SET total = ${amount(cents, 'total')}, cents = ${cents} WHERE id = $1 % 1000 + 1 RETURNING pg_typeof(total)::text AS type`;
  return { text, values: [round] };
}
