import { Problem } from '../../../../contracts/problems.js';
import type { Database } from '../../../../runtime/database/database.js';
import { log } from '../../../../runtime/log.js';
import { listParked } from '../../../../runtime/perspectives/parked-rows.js';
import { cancelRebuild, type RebuildRequest } from '../../../../runtime/perspectives/rebuild-request.js';
import type { Service } from '../../../../runtime/service/service.js';
import { findPerspective } from '../../../perspective-list.js';
import type { PerspectivesPart } from '../../model/perspectives.js';

type Perspectives = Pick<Service, 'perspectives' | 'parts'>;

export const perspectivesPart = (database: Database, service: Perspectives): PerspectivesPart => ({
  list: () => service.perspectives,
  parked: async (name) => {
    const found = await findPerspective(database, name);
    return found && listParked(database, found.table);
  },
  release: async (name, key) => (await service.parts.perspectives?.release(name, key)) ?? 0,
  rebuild: (name, request) => startRebuild(service, name, request),
  cancelRebuild: async (name) => {
    const connection = await service.parts.connection?.();
    return (await connection?.asOwner((owner) => cancelRebuild(owner, name))) ?? false;
  },
});

/** Resolves when the rebuild has started; its progress is in the list. */
async function startRebuild({ parts }: Perspectives, name: string, request: RebuildRequest): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    parts.perspectives?.rebuild(name, { ...request, progress: () => resolve() }).catch((err: unknown) => {
      log.warn({ err, perspective: name }, 'a rebuild failed');
      reject(err instanceof Error ? err : new Problem('unexpected', { cause: err }));
    });
  });
}
