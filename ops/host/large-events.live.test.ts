import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { post, problemIn } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { readConfig } from '../config/config.js';
import { anOrder } from '../testing/order-load.js';
import { ordersAlone } from '../testing/orders-alone.js';
import { startHost } from './host.js';

const test = suite('events over the limit of the broker');

const large = {
  ...anOrder,
  lineItems: [{ productId: 'x'.repeat(600_000), quantity: 1, unitPrice: '1' }],
};

const ordering = async (env: Record<string, string>, body: (url: string) => Promise<void>): Promise<void> => {
  const host = await startHost(ordersAlone, readConfig({ SVC_PORT: '0', ...env }));
  try {
    await body(host.url);
  } finally {
    await host.stop();
  }
};

test('with a broker such an event is refused at its command, and nothing is stored', () =>
  withEmptyNats((nats) =>
    withStore((url) =>
      ordering({ DATABASE_URL: url, NATS_URL: nats }, async (host) => {
        const { status, type, detail = '' } = problemIn(await post(host, large, { path: '/orders' }));
        assert.equal([status, type], [413, 'urn:svc:problem:event-too-large']);
        assert.match(detail, 'at most 524288');
        assert.equal(await rowsOf(url, 'SELECT count(*) FROM svc_event_stream'), [['0']]);
      }),
    ),
  ));

test('without a broker there is no such limit', () =>
  withStore((url) =>
    ordering({ DATABASE_URL: url }, async (host) => {
      assert.is((await post(host, large, { path: '/orders' })).status, 200);
    }),
  ));
