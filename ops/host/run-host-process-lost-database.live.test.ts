import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { type NetworkProxy, withProxy } from '../../runtime/testing/network-proxy.js';
import { survivesClosedConnections } from '../testing/host-faults.js';
import { startLoad } from '../testing/order-load.js';
import { withOrders } from '../testing/spawned-host.js';
import { durationOf } from '../../runtime/kit/until.js';

const test = suite('host process');

test('connections that the database closes under load cost at most a 503, and the host recovers by itself', () =>
  survivesClosedConnections(2));

/** Stops a host under load while the line to its store is lost in this way. */
const stopsInTime = (lose: (line: NetworkProxy) => unknown): Promise<void> =>
  withStore((url) =>
    withProxy(url, (line) =>
      withOrders({ DATABASE_URL: line.url }, async (host) => {
        const load = startLoad({ url: host.url, clients: 16 });
        await load.reached(50);
        await lose(line);
        const ended = host.kill('SIGTERM');
        assert.ok((await durationOf(ended)) < 11_000);
        assert.equal(await ended, { code: 0, signal: null });
        await load.done;
      }),
    ),
  );

test('a host whose database is down still stops within 10 seconds of a signal', () =>
  stopsInTime((line) => line.cut()));

test('a host whose database has fallen silent still stops within 10 seconds of a signal', () =>
  stopsInTime((line) => line.silence()));
