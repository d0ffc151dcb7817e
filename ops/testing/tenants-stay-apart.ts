import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { send } from '../../endpoints/testing/http-client.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { as, type Tenant, type TenantHost, tenants, withTenantHosts } from './tenant-hosts.js';
import {
  listed,
  listedByGraphQL,
  listedUnfiltered,
  mustBeRefused,
  operatorRequests,
  type OrdersQuery,
  type Row,
  rowsIn,
} from './tenant-requests.js';
import { anySteps, everyStep, TenantSteps } from './tenant-steps.js';

/** Tenants act at two hosts at the same time, at random; then each one sees all of its own orders, and no other. */
export const tenantsStayApart = (numRuns: number): Promise<void> =>
  withTenantHosts(async (hosts, broker) => {
    const steps = await TenantSteps.over(hosts, broker);
    try {
      await fc.assert(
        fc.asyncProperty(anySteps, async (some) => {
          await Promise.all(some.map((step) => steps.run(step)));
        }),
        { numRuns, endOnFailure: true, includeErrorInReport: true, examples: [[[...everyStep]]] },
      );
      for (const host of hosts) await mustEndApart(host, steps);
      for (const request of operatorRequests) await mustBeRefused(hosts[0], 'north', request);
    } finally {
      steps.close();
    }
  });

async function mustEndApart(host: TenantHost, steps: TenantSteps): Promise<void> {
  await untilRebuilt(host);
  for (const tenant of tenants) {
    const own = [...steps.orders].flatMap(([id, { owner }]) => (owner === tenant ? [id] : [])).sort();
    await until(async () => (await allRows(host, tenant, listed)).length >= own.length);
    for (const read of [listed, listedByGraphQL, listedUnfiltered]) {
      const rows = await allRows(host, tenant, read);
      assert.deepEqual(rows.map(({ orderId }) => String(orderId)).sort(), own, `${tenant} ${read.name}`);
      steps.mustOwn(tenant, rows);
    }
    await mustAuditApart(host, tenant);
    await mustObserveAll(host, tenant);
  }
  const rewound = "SELECT 1 FROM svc_system_events WHERE event_type = 'PerspectiveRewindCompleted'";
  // Messages may take a while to arrive.
  await until(async () => (await rowsOf(host.databaseUrl, rewound)).length > 0);
  const [[rebuilt] = []] = await rowsOf(host.databaseUrl, 'SELECT count(*) FROM svc_rebuilds');
  assert.ok(Number(rebuilt) > 0, `${rebuilt} rebuilds`);
}

async function untilRebuilt({ databaseUrl }: TenantHost): Promise<void> {
  const running = 'SELECT count(*) FROM svc_rebuilds WHERE ended_at IS NULL';
  await until(async () => (await rowsOf(databaseUrl, running))[0]?.[0] === '0');
}

async function allRows(
  host: TenantHost,
  tenant: Tenant,
  read: (host: TenantHost, tenant: Tenant, query: OrdersQuery) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const found = await read(host, tenant, { statuses: [], sort: ['-status'], pageSize: 100, page });
    rows.push(...found);
    if (found.length < 100) return rows;
  }
}

async function mustAuditApart({ url }: TenantHost, tenant: Tenant): Promise<void> {
  const path = '/audit-log?pageSize=100';
  const audits = rowsIn(await send(url, { method: 'GET', path, headers: as(tenant) }));
  assert.ok(audits.length > 0);
  assert.deepEqual(
    audits.filter(({ tenantId = '' }) => tenantId !== tenant),
    [],
  );
}

/** `svc:observe` is a permission of operators: it shows the system records of all tenants, but no row of another one. */
async function mustObserveAll({ url }: TenantHost, tenant: Tenant): Promise<void> {
  const headers = as(tenant, 'svc:observe');
  const seen = await fetch(`${url}/console/api/system?limit=200&type=EventAudited`, { headers });
  const { records } = (await seen.json()) as { readonly records: readonly { readonly tenant?: string }[] };
  const shown = new Set(records.map(({ tenant: one = '' }) => one));
  assert.deepEqual([...shown].sort(), [...tenants].sort());
  const rows = rowsIn(await send(url, { method: 'GET', path: '/orders?pageSize=100', headers }));
  const plain = rowsIn(await send(url, { method: 'GET', path: '/orders?pageSize=100', headers: as(tenant) }));
  assert.deepEqual(rows, plain);
}
