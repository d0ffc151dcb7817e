import type { Database, Row } from '../../database/database.js';
import type { StoredModel } from '../fold/fold.js';
import type { PerspectiveTable } from '../tables/perspective-table.js';

/** The rows of a perspective, by key. */
export async function readStoredModels(
  database: Pick<Database, 'rows'>,
  { table }: Pick<PerspectiveTable, 'table'>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, StoredModel>> {
  if (keys.length === 0) return new Map();
  const text = 'SELECT id, model, tenant, position, applied FROM svc_models($1, $2)';
  const rows = await database.rows({ text, values: [table, keys] });
  return new Map(rows.map((row) => [row[0] ?? '', keptOf(row.slice(1))]));
}

export const keptOf = ([model, tenant, position, applied]: Row): StoredModel => ({
  model: model ?? 'null',
  tenant: tenant ?? null,
  position: Number(position),
  applied: Number(applied),
});
