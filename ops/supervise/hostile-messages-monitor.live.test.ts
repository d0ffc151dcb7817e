import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { encodeEnvelope } from '../../runtime/envelope/envelope-codec.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { hostileMessages } from '../../runtime/testing/hostile-messages.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { untilReady } from '../testing/probed-host.js';
import { isAlive } from '../testing/spawned-supervisor.js';
import { withListening } from '../testing/spawned-host.js';
import { patience, withBroker, aRecord, send, areDead } from '../testing/hostile-senders.js';

const test = suite('hostile messages');

test('a monitor survives them, stores none, and continues', () =>
  withBroker(({ url, raw }) =>
    withStore((DATABASE_URL) =>
      withListening(['monitor', '--url', url, '--port', '0'], { DATABASE_URL }, async (monitor) => {
        const rows = (sql: string) => rowsOf(DATABASE_URL, sql);
        const messages = hostileMessages('OrderCreated').filter(
          ({ subject }) => !subject.startsWith('svc.events.'),
        );
        for (const message of messages) send(raw, message);
        raw.publish('svc.core.auditevents', encodeEnvelope(aRecord()));
        await raw.flush();
        await until(
          async () => (await rows('SELECT FROM svc_received_system_events')).length === 1,
          patience,
        );
        await areDead(messages, rows);
        assert.ok(isAlive(monitor.pid));
        await untilReady(monitor.url, ({ code }) => code === 200);
      }),
    ),
  ));
