import type { AnyPerspective } from '../../contracts/perspective.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { Database } from '../../runtime/database/database.js';
import { addService, type Service } from '../../runtime/service/service.js';
import { postgresEventStore } from '../../runtime/service/add-postgres-event-store.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { addServicePerspectives } from '../perspectives/add-service-perspectives.js';
import type { PerspectivesOptions } from '../perspectives/running-perspectives.js';
import { addSystemEvents } from '../add-system-events-and-auditing.js';

interface PerspectiveHosts {
  readonly url: string;
  readonly owner: Database;
  readonly host: (perspectives: readonly AnyPerspective[], options?: PerspectivesOptions) => Service;
}

/**
 * A database, and services that run perspectives over it; perspective and error events are stored, audits are not.
 */
export const withPerspectiveHosts = (body: (hosts: PerspectiveHosts) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ url, connect }) => {
    const services: Service[] = [];
    const host: PerspectiveHosts['host'] = (perspectives, options) => {
      const service = addService()
        .with(postgresEventStore({ url }))
        .with(addSystemEvents((system) => system.enablePerspectiveEvents().enableErrorEvents()))
        .with(addServicePerspectives(perspectives, options));
      services.push(service);
      return service;
    };
    try {
      await body({ url, owner: connect({ owner: true }), host });
    } finally {
      for (const service of services.reverse()) await service.stop();
    }
  });

export const timeoutSignal = (): AbortSignal => AbortSignal.timeout(300_000);

export const stateOf = (service: Service, name = 'accounts') =>
  service.perspectives.find((state) => state.name === name);

/** The position in the log of the last event that was appended. */
export const positionOf = async (
  appended: Promise<{ readonly globalPositions: readonly number[] }>,
): Promise<number> => (await appended).globalPositions.at(-1) ?? 0;

export async function modelOf<T>(
  owner: Database,
  id: Uuid,
  view = 'svc_per_accounts',
): Promise<T | undefined> {
  const [row] = await owner.rows({ text: `SELECT model FROM ${view} WHERE id = $1`, values: [id] });
  return row === undefined ? undefined : (JSON.parse(row[0] ?? 'null') as T);
}

/** The system stream, oldest first. */
export async function systemStreamLike(
  owner: Database,
  pattern: string,
): Promise<readonly (readonly [string, Record<string, unknown>])[]> {
  const rows = await owner.rows({
    text: 'SELECT event_type, data FROM svc_system_stream WHERE event_type LIKE $1 ORDER BY stream_position',
    values: [pattern],
  });
  return rows.map(([type, data]) => [type ?? '', JSON.parse(data ?? '{}') as Record<string, unknown>]);
}
