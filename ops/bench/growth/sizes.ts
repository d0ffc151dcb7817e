import { connect } from '../../../runtime/database/connect.js';
import type { Figures } from '../harness/rounds.js';
import { salesTable } from './filled-stores.js';

/** The tables of each figure. */
const parts: Readonly<Record<string, readonly string[]>> = {
  event: ['svc_events'],
  'both audits': ['svc_system_events'],
  'index of the audit': ['svc_search_values', 'svc_search_blocks'],
  'head of its stream': ['svc_stream_heads'],
  'row of a read model': [salesTable.table],
};

export const sizeFigures = ['whole', ...Object.keys(parts)];

/** Bytes of disk for each command, with indexes. */
export async function sizesIn(url: string, commands: number): Promise<Figures> {
  const client = await connect(url);
  try {
    const sizes: [string, number][] = [];
    for (const [name, tables] of Object.entries(parts)) {
      const { rows } = await client.query<{ bytes: string }>(
        `SELECT sum(pg_total_relation_size(r)) AS bytes FROM unnest($1::regclass[]) t,
          LATERAL (SELECT t AS r UNION SELECT relid FROM pg_partition_tree(t)) parts`,
        [tables],
      );
      sizes.push([name, Number(rows[0]?.bytes) / commands]);
    }
    const whole = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
    return { whole, ...Object.fromEntries(sizes) };
  } finally {
    await client.end();
  }
}
