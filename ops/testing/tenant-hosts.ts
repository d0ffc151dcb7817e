import assert from 'node:assert/strict';
import type { Authenticate } from '../../contracts/identity.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import type { Database } from '../../runtime/database/database.js';
import {
  type PerspectiveTable,
  perspectiveTable,
} from '../../runtime/perspectives/tables/perspective-table.js';
import { type ReadModels, readModels } from '../../runtime/perspectives/reads/read-models.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { withNatsServer } from '../../runtime/testing/nats-server.js';
import { exampleHere } from '../../runtime/testing/process-root.js';
import { readConfig } from '../config/config.js';
import { startHost } from '../host/host.js';
import { loadService } from '../service/load-service.js';
import { takingAll } from './taking-all.js';

/** The last one is a caller without a tenant. */
export const tenants = ['north', 'south', ''] as const;
export type Tenant = (typeof tenants)[number];

/** A host of the orders example with a store of its own. */
export interface TenantHost {
  readonly url: string;
  readonly databaseUrl: string;
  /** The read models as the host reads them, but without the filter by tenant: row-level security alone is left. */
  readonly unfiltered: ReadModels;
  readonly orders: PerspectiveTable;
}

/** A bearer token is a tenant, or `-` for none, and permissions. */
const authenticate: Authenticate = ({ headers }) => {
  const [tenantId = '', ...permissions] = String(headers['authorization']).slice('Bearer '.length).split(' ');
  return { source: 'test', scope: { userId: 'ann', ...(tenantId === '-' ? {} : { tenantId }) }, permissions };
};

export const as = (tenant: Tenant, ...permissions: readonly string[]) => ({
  authorization: ['Bearer', tenant || '-', 'orders:*', 'audit:read', ...permissions].join(' '),
});

/** Provides two hosts that exchange their events over a broker of their own. */
export const withTenantHosts = (
  body: (hosts: readonly [near: TenantHost, far: TenantHost], broker: string) => Promise<void>,
): Promise<void> =>
  withNatsServer(({ url: broker }) =>
    withTenantHost('near', broker, (near) =>
      withTenantHost('far', broker, (far) => body([near, far], broker)),
    ),
  );

const withTenantHost = (
  name: string,
  broker: string,
  body: (host: TenantHost) => Promise<void>,
): Promise<void> =>
  withMigratedDatabase(async ({ url: databaseUrl, connect }) => {
    const service = takingAll(await loadService(exampleHere('orders')));
    const env = { SVC_PORT: '0', SVC_LOG: 'silent', SVC_NAME: name, NATS_URL: broker };
    const config = readConfig({ ...env, DATABASE_URL: databaseUrl });
    const host = await startHost({ ...service, authenticate }, config);
    const { perspectives = [] } = service.create({} as Dispatcher);
    const [orders] = perspectives.filter(({ route }) => route === '/orders').map(perspectiveTable);
    assert.ok(orders);
    try {
      await body({
        url: host.url,
        databaseUrl,
        unfiltered: readModels(withoutTenantFilter(connect())),
        orders,
      });
    } finally {
      await host.stop();
    }
  });

const tenantFilter = 'tenant IS NOT DISTINCT FROM $1::text';

const withoutTenantFilter = (database: Database): Database => ({
  ...database,
  rows: (statement) => {
    const text = statement.text.replaceAll(tenantFilter, '($1::text IS NULL OR true)');
    assert.ok(text !== statement.text || !/FROM svc_per_/.test(text), text);
    return database.rows({ ...statement, text });
  },
});
