import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { jsonOf, post } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { anOrder } from '../testing/order-load.js';
import { withHost } from '../testing/probed-host.js';
import { withOrders } from '../testing/spawned-host.js';

const test = suite('tools of agents on a host that dies');

const keys = Array.from({ length: 12 }, (_, n) => `order ${n}`);

async function place(url: string, idempotencyKey: string): Promise<string | undefined> {
  const params = { name: 'create_order', arguments: { ...anOrder, idempotencyKey } };
  const answer = await post(url, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { path: '/mcp' });
  const { result } = jsonOf(answer) as { result?: { structuredContent?: { status: string } } };
  return result?.structuredContent?.status;
}

test('a call that is repeated after its host died in the commit has one effect and one audit', () =>
  withStore(async (url) => {
    await withOrders({ DATABASE_URL: url, SVC_FAILPOINTS: 'store-after-commit@10' }, async (host) => {
      for (const key of keys) await place(host.url, key).catch(() => undefined);
      assert.equal(await host.ended, { code: null, signal: 'SIGKILL' });
    });
    await withHost(url, async (host) => {
      for (const key of keys) assert.is(await place(host.url, key), 'done');
    });
    const counted = await rowsOf(
      url,
      `SELECT (SELECT count(*) FROM svc_event_stream WHERE event_type = 'OrderCreated'),
        (SELECT count(*) FROM svc_system_stream WHERE event_type = 'CommandAudited' AND data ->> 'commandType' = 'CreateOrder')`,
    );
    assert.equal(counted, [[String(keys.length), String(keys.length)]]);
  }));
