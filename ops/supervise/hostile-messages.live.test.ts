import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { encodeEnvelope } from '../../runtime/envelope/envelope-codec.js';
import { hostileMessages, meaninglessHeaders } from '../../runtime/testing/hostile-messages.js';
import { until } from '../../runtime/kit/until.js';
import {
  patience,
  withCuriousHosts,
  anOrder,
  aRecord,
  send,
  sendOrder,
  areDead,
} from '../testing/hostile-senders.js';

const test = suite('hostile messages');

test('under svc supervise no process dies of them: each is a dead letter with its reason, and good messages behind them are stored', () =>
  withCuriousHosts(async ({ raw, rows, supervisor }) => {
    const messages = hostileMessages('OrderCreated');
    for (const message of messages) send(raw, message);
    const orders = [...meaninglessHeaders, undefined].map((headers) => {
      const order = anOrder();
      sendOrder(raw, order, headers);
      return order;
    });
    const last = orders.at(-1);
    assert.ok(last);
    const forged = {
      name: 'a position that is taken',
      subject: 'svc.events.OrderCreated',
      body: encodeEnvelope({ ...last, messageId: newUuid() }),
      why: 'place-taken',
    };
    send(raw, forged);
    const record = aRecord();
    raw.publish('svc.core.auditevents', encodeEnvelope(record));
    await raw.flush();
    await until(async () => (await rows('SELECT FROM svc_events')).length >= orders.length, patience);
    await until(async () => (await rows('SELECT FROM svc_received_system_events')).length === 1, patience);
    await areDead([...messages, forged], rows);
    assert.equal(await rows('SELECT count(*) FROM svc_events'), [[String(orders.length)]]);
    assert.equal(await rows('SELECT count(*) FROM svc_origins WHERE origin <> 0'), [['1']]);
    const [sizes] = await rows('SELECT max(length(body)), max(length(headers::text)) FROM svc_stuck_work');
    assert.ok(Number(sizes?.[0]) <= 1 << 20 && Number(sizes?.[1]) < 5_000, sizes?.join(' '));
    // A busy machine may keep a host silent for too long. A message that did so would end every host that receives it
    // and be quarantined: its reason, above, would be another.
    const lines = supervisor.output.stdout.join('').split('\n');
    const ended = lines.filter(
      (line) => line.includes('"child"') && !line.includes('its event loop was blocked'),
    );
    assert.equal(ended, []);
  }));
