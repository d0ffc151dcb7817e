import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { jsonOf, post } from '../../endpoints/testing/http-client.js';
import { until, untilPasses } from '../../runtime/kit/until.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { bearer, type Env, permissions, type Scene, withHost } from '../testing/authenticated-host.js';
import { anOrder } from '../testing/order-load.js';

const test = suite('tools of agents on a host');

interface Called {
  readonly result?: {
    readonly tools?: readonly { readonly name: string }[];
    readonly structuredContent?: {
      readonly status: string;
      readonly repeated?: boolean;
      readonly problem?: { readonly code: string };
      readonly result?: {
        readonly orderId?: string;
        readonly rows?: readonly { readonly orderId: string }[];
      };
    };
  };
  readonly error?: { readonly message: string };
}

const ask = async (url: string, method: string, params: object, headers: Env = {}): Promise<Called> =>
  jsonOf(await post(url, { jsonrpc: '2.0', id: 1, method, params }, { path: '/mcp', headers })) as Called;

const call = async (url: string, name: string, args: object, headers?: Env) =>
  (await ask(url, 'tools/call', { name, arguments: args }, headers)).result?.structuredContent;

const audits = ({ databaseUrl }: Scene) =>
  rowsOf(
    databaseUrl,
    `SELECT count(*)::text, data->'scope'->>'by' FROM svc_system_stream
      WHERE event_type = 'CommandAudited' AND data->>'commandType' = 'CreateOrder' GROUP BY 2`,
  );

test('every order of an agent is placed once and audited once, with the name of the agent', () =>
  withHost({}, async (scene) => {
    const { url } = scene;
    const clientInfo = { name: 'desk', version: '1' };
    const session = Buffer.from(clientInfo.name).toString('base64url');
    const headers = { 'mcp-session-id': session };
    const order = (n: number) =>
      call(url, 'create_order', { ...anOrder, idempotencyKey: `order ${n}` }, headers);
    const numbers = Array.from({ length: 10 }, (_, n) => n);
    const placed = await Promise.all(numbers.map(order));
    for (const n of numbers) assert.is((await order(n))?.repeated, true);
    const orders = placed.flatMap((one) => one?.result?.orderId ?? []);
    assert.is(new Set(orders).size, 10);
    assert.equal(await audits(scene), [['10', 'agent:desk']]);
    await untilPasses(async () => {
      const rows = (await call(url, 'orders_list', { pageSize: 50 }))?.result?.rows ?? [];
      assert.equal(rows.map(({ orderId }) => orderId).toSorted(), orders.toSorted());
    });
    const [orderId] = orders;
    assert.is((await call(url, 'orders_get', { id: orderId }))?.result?.orderId, orderId);
    const long = await call(url, 'orders_get', { id: 'x'.repeat(3_073) });
    assert.is(long?.problem?.code, 'invalid-query');
  }));

test('an agent has the permissions of its key, and no tool of a command that does not say agent', () =>
  withHost({ SVC_AUTH: 'api-key' }, async ({ url, svc }) => {
    const names = async (headers: Env) =>
      (await ask(url, 'tools/list', {}, headers)).result?.tools?.map(({ name }) => name);
    const keyWith = async (name: string, granted: string): Promise<Env> => {
      const made = await svc('keys', 'create', '--name', name, '--permissions', granted, '--json');
      const headers = bearer((JSON.parse(made) as { key: string }).key);
      // A host learns of a new key within two seconds; too many wrong credentials would be refused unseen.
      await until(async () => {
        await delay(500);
        return (await names(headers)) !== undefined;
      });
      return headers;
    };
    const reader = await keyWith('reader', 'orders:read');
    const writer = await keyWith('writer', permissions.join(','));
    assert.equal(await names(reader), ['orders_get', 'orders_list']);
    const writing = ['approval_get', 'cancel_order', 'create_order', 'orders_get', 'orders_list'];
    assert.equal(await names(writer), writing);
    const denied = await ask(url, 'tools/call', { name: 'create_order', arguments: anOrder }, reader);
    for (const name of ['ship_order', 'pay_order', 'archive_order', 'register_customer', 'ShipOrder'])
      assert.equal(await ask(url, 'tools/call', { name, arguments: {} }, writer), denied);
    assert.is((await call(url, 'create_order', anOrder, writer))?.status, 'done');
  }));
