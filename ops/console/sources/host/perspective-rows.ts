import type { AuditPolicy } from '../../../../runtime/audit/audit-policy.js';
import type { Database } from '../../../../runtime/database/database.js';
import type { PerspectiveTable } from '../../../../runtime/perspectives/tables/perspective-table.js';
import type { PerspectiveRows, RowsWanted } from '../../model/perspectives.js';
import { isoTime } from './system-stream-part.js';

/** The rows that readers see, by key. */
export async function perspectiveRows(
  database: Database,
  { view, types, byStream }: Pick<PerspectiveTable, 'view' | 'types' | 'byStream'>,
  policy: Pick<AuditPolicy, 'isSensitive'>,
  { tenant, key = '', after = '', limit }: RowsWanted & { readonly limit: number },
): Promise<PerspectiveRows> {
  const isHidden = types.some((type) => policy.isSensitive(type));
  const rows = await database.rows({
    text: `SELECT id, ${isHidden ? 'NULL' : 'model::text'}, position, ${isoTime('updated_at')} FROM ${view}
      WHERE tenant IS NOT DISTINCT FROM $1::text AND starts_with(id, $2) AND id > $3 ORDER BY id LIMIT $4`,
    values: [tenant ?? null, key, after, limit + 1],
    tenant,
  });
  return {
    rows: rows.slice(0, limit).map(([id, model, position, updatedAt]) => ({
      key: id ?? '',
      ...(typeof model === 'string' ? { row: JSON.parse(model) as unknown } : {}),
      position: Number(position),
      updatedAt: updatedAt ?? '',
    })),
    byStream,
    isHidden,
    hasMore: rows.length > limit,
  };
}
