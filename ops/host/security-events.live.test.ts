import * as assert from 'uvu/assert';
import type { IdentityInit } from '../../contracts/identity.js';
import { ScopeFilters } from '../../contracts/perspective-scope.js';
import { suite } from '../../contracts/testing/suite.js';
import { type Database, openDatabase } from '../../runtime/database/database.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { until } from '../../runtime/kit/until.js';
import { readConfig } from '../config/config.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { guardedShop } from '../testing/guarded-shop.js';
import { credentialsOf, wrongCredentials } from '../testing/test-credentials.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { type Host, startHost } from './host.js';

const test = suite('security events of a host');

interface Scene {
  readonly host: Host;
  readonly url: string;
  readonly database: Database;
  readonly post: (path: string, body: object, by?: IdentityInit) => Promise<Response>;
  readonly get: (path: string, by?: IdentityInit) => Promise<Response>;
  /** Stops the host, which stores what waits for the end of its minute. */
  readonly events: (type: string) => Promise<readonly Stored[]>;
}

interface Stored {
  readonly data: Readonly<Record<string, unknown>>;
  readonly count: number;
}

const withShop = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withStore(async (url) => {
    const host = await startHost(guardedShop, readConfig({ SVC_PORT: '0', DATABASE_URL: url }));
    const database = openDatabase({ url });
    const headersOf = (by?: IdentityInit) => (by === undefined ? {} : credentialsOf(by));
    const post = (path: string, sent: object, by?: IdentityInit) =>
      fetch(host.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', prefer: 'wait=10', ...headersOf(by) },
        body: JSON.stringify(sent),
      });
    const get = (path: string, by?: IdentityInit) => fetch(host.url + path, { headers: headersOf(by) });
    const events = async (type: string): Promise<readonly Stored[]> => {
      await host.stop();
      const rows = await database.rows({
        text: `SELECT s.data - '{id,timestamp}'::text[], coalesce(e.metadata ->> 'count', '1')
          FROM svc_system_stream s JOIN svc_system_events e USING (stream_position)
          WHERE s.event_type = $1 ORDER BY stream_position`,
        values: [type],
      });
      return rows.map(([data, count]) => ({
        data: JSON.parse(data ?? '{}') as Stored['data'],
        count: Number(count),
      }));
    };
    try {
      await body({ host, url, database, post, get, events });
    } finally {
      await host.stop();
      await database.close();
    }
  });

/** For tests that do not ask for events, each with a tenant of its own. */
const whileOpen = sharedIn(test, withShop);

const scope = { tenantId: 'acme', userId: 'ann', allowedPrincipals: ['team:north'], extensions: {} };
const ann: IdentityInit = {
  source: 'test',
  scope,
  roles: ['clerk'],
  permissions: ['orders:read', 'orders:write', 'orders:cancel'],
};
const bob: IdentityInit = { ...ann, scope: { ...scope, userId: 'bob' } };
const guest: IdentityInit = {
  source: 'test',
  scope: { tenantId: 'acme', userId: 'guest' },
  roles: ['guest'],
};

const isOfAnn = ({ data }: Stored): boolean => (data['scope'] as { userId?: string }).userId === 'ann';

const idIn = async (answer: Response): Promise<string> =>
  ((await answer.json()) as { orderId: string }).orderId;

test('every guard stores what it decided, with scope, roles, permissions, filters and reason', () =>
  withShop(async ({ post, get, events }) => {
    const orderId = await idIn(await post('/place', { item: 'lamp' }, ann));
    assert.is((await post('/cancel', { orderId }, bob)).status, 403);
    assert.is((await post('/cancel', { orderId }, ann)).status, 200);
    assert.is((await post('/place', { item: 'lamp' }, guest)).status, 403);
    assert.is((await post('/place', { item: 'lamp' })).status, 401);
    assert.is((await get('/own-orders', ann)).status, 200);
    const secret = await idIn(await post('/place', { item: 'secret plan' }, ann));
    assert.is((await get(`/open-orders/${secret}`, ann)).status, 404);
    const { Tenant, User, None } = ScopeFilters;
    const granted = (await events('AccessGranted'))
      .filter(isOfAnn)
      .map(({ data: { scope: by, ...data }, count }) => {
        assert.equal(by, scope);
        return { ...data, count };
      });
    assert.equal(granted, [
      { resourceType: 'PlaceOrder', usedPermission: 'orders:write', accessFilter: None, count: 1 },
      { resourceType: 'CancelOrder', usedPermission: 'orders:write', accessFilter: None, count: 1 },
      {
        resourceType: 'Order',
        resourceId: orderId,
        usedPermission: 'orders:cancel',
        accessFilter: User,
        count: 1,
      },
      { resourceType: 'own-orders', usedPermission: 'orders:read', accessFilter: Tenant | User, count: 1 },
      { resourceType: 'open-orders', usedPermission: 'orders:read', accessFilter: Tenant, count: 1 },
      { resourceType: 'PlaceOrder', usedPermission: 'orders:write', accessFilter: None, count: 1 },
    ]);
    const held = { callerPermissions: ann.permissions, callerRoles: ['clerk'] };
    const none = { allowedPrincipals: [], extensions: {} };
    assert.equal(
      (await events('AccessDenied')).map(({ data }) => data),
      [
        {
          resourceType: 'Order',
          resourceId: orderId,
          requiredPermission: 'orders:cancel',
          ...held,
          scope: bob.scope,
          reason: 'ScopeViolation',
        },
        {
          resourceType: 'PlaceOrder',
          requiredPermission: 'orders:write',
          callerPermissions: [],
          callerRoles: ['guest'],
          scope: { ...none, ...guest.scope },
          reason: 'InsufficientPermission',
        },
        {
          resourceType: 'PlaceOrder',
          requiredPermission: 'orders:write',
          callerPermissions: [],
          callerRoles: [],
          scope: none,
          reason: 'NotAuthenticated',
        },
        {
          resourceType: 'open-orders',
          resourceId: secret,
          requiredPermission: 'orders:read',
          ...held,
          scope,
          reason: 'PolicyRejected',
        },
      ],
    );
    const established = (await events('ScopeContextEstablished')).filter(isOfAnn);
    assert.equal(established, [
      { data: { scope, roles: ['clerk'], permissions: ann.permissions, source: 'test' }, count: 1 },
      { data: { scope, roles: ['clerk'], permissions: ann.permissions, source: 'test' }, count: 4 },
    ]);
  }));

test('stored events have the correlation id of their request, also those about wrong credentials', () =>
  withShop(async ({ host, post, events, database }) => {
    const story = { 'x-correlation-id': 'story-7', 'content-type': 'application/json' };
    const placed = await fetch(`${host.url}/place`, {
      method: 'POST',
      headers: { ...story, ...credentialsOf(ann) },
      body: JSON.stringify({ item: 'lamp' }),
    });
    assert.is(placed.status, 200);
    const wrong = { ...story, ...wrongCredentials };
    assert.is((await fetch(`${host.url}/place`, { method: 'POST', headers: wrong, body: '{}' })).status, 401);
    const { headers } = await post('/place', { item: 'lamp' }, guest);
    const generated = headers.get('x-correlation-id');
    assert.is((await events('AccessGranted')).length, 1);
    const rows = await database.rows({
      text: `SELECT event_type, metadata ->> 'correlationId' FROM svc_system_events
        WHERE event_type IN ('ScopeContextEstablished', 'AccessGranted', 'AccessDenied') ORDER BY stream_position`,
    });
    assert.equal(rows, [
      ['ScopeContextEstablished', 'story-7'],
      ['AccessGranted', 'story-7'],
      ['AccessDenied', 'story-7'],
      ['ScopeContextEstablished', generated],
      ['AccessDenied', generated],
    ]);
  }));

test('under load the log grows with callers, not with requests, and the counts add up', () =>
  withShop(async ({ post, events }) => {
    const requests = 200;
    const statuses: number[] = [];
    const send = async (n: number): Promise<void> => {
      const answer = await post('/place', { item: 'lamp' }, n % 2 === 0 ? ann : guest);
      await answer.text();
      statuses.push(answer.status);
    };
    // More at once would be a crowd, of which a busy host may refuse some.
    const atOnce = 40;
    for (let sent = 0; sent < requests; sent += atOnce)
      await Promise.all(Array.from({ length: atOnce }, (_, n) => send(n)));
    assert.equal(new Set(statuses), new Set([200, 403]));
    const countsOf = async (type: string) => (await events(type)).map(({ count }) => count);
    const each = requests / 2;
    assert.equal(await countsOf('AccessGranted'), [1, each - 1]);
    assert.equal(await countsOf('AccessDenied'), [...Array<number>(10).fill(1), each - 10]);
    assert.equal(await countsOf('ScopeContextEstablished'), [1, 1, each - 1, each - 1]);
  }));

test('rows are limited to the declared part of the scope, whatever a caller filters by', () =>
  whileOpen(async ({ post, get }) => {
    const ofAnn = await idIn(await post('/place', { item: 'lamp' }, ann));
    await post('/place', { item: 'chair' }, bob);
    const itemsOf = async (path: string, by: IdentityInit) => {
      const { data, totalCount } = (await (await get(path, by)).json()) as {
        data: { item: string }[];
        totalCount: number;
      };
      assert.is(totalCount, data.length);
      return data.map(({ item }) => item);
    };
    assert.equal(await itemsOf('/own-orders', ann), ['lamp']);
    assert.equal(await itemsOf('/own-orders?filter[userId]=ann', bob), []);
    assert.equal(await itemsOf('/own-orders?filter[userId]=ann&filter[userId]=bob', bob), ['chair']);
    const noUser = { ...ann, scope: { tenantId: 'acme' } };
    assert.equal(await itemsOf('/own-orders', noUser), []);
    assert.is((await get(`/own-orders/${ofAnn}`, ann)).status, 200);
    for (const other of [bob, noUser, { ...ann, scope: { ...scope, tenantId: 'cask' } }])
      assert.is((await get(`/own-orders/${ofAnn}`, other)).status, 404);
  }));

test('rows that authorize refuses are in no list and in no count, and pages are full', () =>
  whileOpen(async ({ post, get }) => {
    const clerk = { ...ann, scope: { ...scope, tenantId: 'bolt' } };
    const items = ['a', 'secret b', 'c', 'secret d', 'e'];
    for (const item of items) await post('/place', { item }, clerk);
    const page = async (query: string, by: IdentityInit = clerk) =>
      (await (await get(`/open-orders${query}`, by)).json()) as {
        data: { item: string }[];
        totalCount: number;
        hasNextPage: boolean;
      };
    const first = await page('?pageSize=2');
    assert.equal([first.data.length, first.totalCount, first.hasNextPage], [2, 3, true]);
    const second = await page('?pageSize=2&page=2');
    assert.equal([second.data.length, second.totalCount, second.hasNextPage], [1, 3, false]);
    assert.equal([...first.data, ...second.data].map(({ item }) => item).toSorted(), ['a', 'c', 'e']);
    const cleared = { ...clerk, scope: { ...clerk.scope, extensions: { clearance: 'high' } } };
    assert.is((await page('', cleared)).totalCount, 5);
  }));

test('a granted role takes effect on a running host within seconds, and so does its end', () =>
  whileOpen(async ({ url, post, database }) => {
    const status = async () => {
      const answer = await post('/place', { item: 'lamp' }, guest);
      await answer.text();
      return answer.status;
    };
    const run = async (...args: string[]) => {
      const { code, stderr } = await svcInProcess(['roles', ...args], {
        DATABASE_URL: url,
        SVC_ACTOR: 'boss',
      });
      assert.equal([code, stderr], [0, '']);
    };
    assert.is(await status(), 403);
    await run('define', 'clerk', '--permissions', 'orders:write');
    await run('grant', 'guest', '--role', 'clerk', '--tenant', 'acme');
    await until(async () => (await status()) === 200);
    await run('revoke', 'guest', '--role', 'clerk', '--tenant', 'acme');
    await until(async () => (await status()) === 403);
    await database.rows({ text: "UPDATE svc_roles SET permissions = '{}'" });
    await run('grant', 'guest', '--permission', 'orders:*', '--tenant', 'acme');
    await until(async () => (await status()) === 200);
    const text = `SELECT data ->> 'changeType' FROM svc_system_stream WHERE event_type = 'PermissionChanged' ORDER BY stream_position`;
    assert.equal(await database.rows({ text }), [['RolesAdded'], ['RolesRemoved'], ['PermissionsAdded']]);
  }));
