import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { pids, allRun } from '../testing/spawned-supervisor.js';
import { patience, withCuriousHosts, anOrder, sendOrder } from '../testing/hostile-senders.js';

const test = suite('hostile messages');

test('a message that ends host after host is quarantined, and all others are stored', () => {
  const poison = anOrder();
  return withCuriousHosts(
    async ({ raw, rows, supervisor }) => {
      const before = pids(await supervisor.status());
      const orders = Array.from({ length: 20 }, anOrder);
      orders.forEach((order, n) => {
        if (n === 10) sendOrder(raw, poison, `NATS/1.0\r\nNats-Msg-Id: ${poison.messageId}`);
        sendOrder(raw, order);
      });
      await raw.flush();
      await until(async () => (await rows('SELECT FROM svc_events')).length === orders.length, 3 * patience);
      const dead = () =>
        rows('SELECT message_id, split_part(error, $$:$$, 1) FROM svc_stuck_work WHERE id IS NOT NULL');
      // Of messages that are handled together, those that are good are stored first.
      await until(async () => (await dead()).length > 0, patience);
      assert.equal(await dead(), [[poison.messageId, 'message-quarantined']]);
      const after = await supervisor.until(allRun);
      assert.ok(
        pids(after).some((pid) => !before.includes(pid)),
        'hosts were lost to it',
      );
      // An attempt ends after its message is stored.
      await until(async () => (await rows('SELECT FROM svc_inbox_attempts')).length === 0, patience);
    },
    { SVC_FAILPOINTS: `inbox-decode-${poison.messageId}` },
  );
});
