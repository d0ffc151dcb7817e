import { Problem } from '../../../../contracts/problems.js';
import type { ActingOperator } from '../../../../runtime/store/operator-action.js';
import type { Database } from '../../../../runtime/database/database.js';
import { log } from '../../../../runtime/logging/log.js';
import { cancelAsOperator, releaseAsOperator } from '../../../../runtime/perspectives/operate.js';
import { listParked } from '../../../../runtime/perspectives/parked/parked-rows.js';
import { perspectiveTable } from '../../../../runtime/perspectives/tables/perspective-table.js';
import type { RebuildOptions } from '../../../../runtime/perspectives/service-perspectives.js';
import type { Service } from '../../../../runtime/service/service.js';
import { findPerspective } from '../../../service/perspective-list.js';
import type { ActedBy } from '../../model/acted-by.js';
import type { PerspectivesPart } from '../../model/perspectives.js';
import { perspectiveRows } from './perspective-rows.js';

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
