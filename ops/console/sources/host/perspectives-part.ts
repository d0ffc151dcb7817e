import { Problem } from '../../../../contracts/problems.js';
import type { ActingOperator } from '../../../../runtime/store/operator-action.js';
import type { Database } from '../../../../runtime/database/database.js';
import { log } from '../../../../runtime/logging/log.js';
import { cancelAsOperator, releaseAsOperator } from '../../../../runtime/perspectives/operate.js';
import { isSet, tenantSet } from '../../../../runtime/perspectives/reads/read-models.js';
import { listParked } from '../../../../runtime/perspectives/parked/parked-rows.js';
import {
  perspectiveTable,
  type PerspectiveTable,
} from '../../../../runtime/perspectives/tables/perspective-table.js';
import type { RebuildOptions } from '../../../../runtime/perspectives/service-perspectives.js';
import type { Service } from '../../../../runtime/service/service.js';
import { findPerspective } from '../../../service/perspective-list.js';
import type { ActedBy } from '../../model/acted-by.js';
import type { PerspectiveRows, PerspectivesPart, RowsWanted } from '../../model/perspectives.js';
import type { AuditPolicy } from '../../../../runtime/audit/audit-policy.js';

type Perspectives = Pick<Service, 'perspectives' | 'parts'>;

export const perspectivesPart = (
  database: Database,
  service: Perspectives,
  operatorOf: (by: ActedBy) => ActingOperator,
): PerspectivesPart => ({
  list: () => service.perspectives,
  rows: async (name, wanted, limit) => {
    const declared = service.parts.perspectives?.declared ?? [];
    const found = declared.find((perspective) => perspective.name === name);
    return (
      found && perspectiveRows(database, perspectiveTable(found), service.parts.policy, { ...wanted, limit })
    );
  },
  parked: async (name) => {
    const found = await findPerspective(database, name);
    return found && listParked(database, found.table);
  },
  release: async (name, key, by) => {
    const found = await findPerspective(database, name);
    if (found === undefined) throw new Problem('not-found', { detail: `There is no perspective ${name}.` });
    return releaseAsOperator({ database, ...operatorOf(by) }, found, key === undefined ? undefined : [key]);
  },
  rebuild: (name, request, by) => startRebuild(service, name, { ...request, by: operatorOf(by) }),
  cancelRebuild: async (name, by) => {
    const connection = await service.parts.connection?.();
    return (await connection?.asOwner((owner) => cancelAsOperator(owner, operatorOf(by), name))) ?? false;
  },
});

/** Resolves when the rebuild has started; its progress is in the list. */
async function startRebuild({ parts }: Perspectives, name: string, options: RebuildOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    parts.perspectives?.rebuild(name, { ...options, progress: () => resolve() }).catch((err: unknown) => {
      log.warn({ err, perspective: name }, 'a rebuild failed');
      reject(err instanceof Error ? err : new Problem('unexpected', { cause: err }));
    });
  });
}

/** The rows that readers see, by key. */
async function perspectiveRows(
  database: Database,
  { view, types, byStream }: Pick<PerspectiveTable, 'view' | 'types' | 'byStream'>,
  policy: Pick<AuditPolicy, 'isSensitive'>,
  { tenant, key = '', after = '', limit }: RowsWanted & { readonly limit: number },
): Promise<PerspectiveRows> {
  const isHidden = types.some((type) => policy.isSensitive(type));
  const rows = await database.rows({
    text: `SELECT r.* FROM ${tenantSet('$1')} CROSS JOIN LATERAL (
      SELECT id, ${isHidden ? 'NULL' : 'model::text'}, position, svc_iso_time(updated_at) FROM ${view}
      WHERE ${isSet} AND tenant IS NOT DISTINCT FROM $1::text AND starts_with(id, $2) AND id > $3 ORDER BY id LIMIT $4) r`,
    values: [tenant ?? null, key, after, limit + 1],
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
