import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { reportingHosts } from '../testing/reporting-hosts.js';

const test = suite('what hosts report of reactions, processes and timers');

const { shop, destinations, shared, start, rows, reported, isIn } = reportingHosts();
test.before(start);
test.after(() => shared.stop());

test('timers that no host fired in time are reported once', async () => {
  const orders = [await shop.order(), await shop.order()];
  for (const orderId of orders) await isIn(orderId, 'awaitingPayment');
  const reminders = `FROM svc_timers WHERE name = 'reminder' AND key IN ('${orders.join("', '")}')`;
  await until(async () => (await rows(`SELECT 1 ${reminders}`)).length === 2);
  await rows(
    `UPDATE svc_timers v SET due_at = clock_timestamp() - interval '1 hour' WHERE v.id IN (SELECT id ${reminders})`,
  );
  await until(async () => (await rows(`SELECT 1 ${reminders}`)).length === 0);
  // Each host reports those that it fired.
  const missed = async (): Promise<number> =>
    (await reported('TimersMissed', `data->>'count'`)).reduce((sum, count) => sum + Number(count), 0);
  await until(async () => (await missed()) >= 2);
  assert.is(await missed(), 2);
});

test('missed occurrences of a schedule are reported once', async () => {
  await rows(
    `UPDATE svc_timers SET due_at = due_at - interval '3 days', context = (context::jsonb || jsonb_build_object('due',
      to_char((due_at - interval '3 days') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))::json WHERE kind = 'schedule'`,
  );
  await until(async () => (await reported('ScheduleMissed', `data->>'missed'`)).length > 0);
  assert.equal(await reported('ScheduleMissed', `data->>'scheduleName', data->>'missed', data->>'policy'`), [
    'nightly-close 2 once',
  ]);
});

test('none of it is audited, and none of it reaches the transport of a local-only host', async () => {
  const types = ['TimersMissed', 'ScheduleMissed'];
  const listed = `('${types.join("', '")}')`;
  const stored = await rows(
    `SELECT count(DISTINCT event_type), bool_or(publish) FROM svc_system_events WHERE event_type IN ${listed}`,
  );
  assert.equal(stored, [[String(types.length), 'false']]);
  const audits = `SELECT 1 FROM svc_system_events WHERE event_type = 'EventAudited' AND data->>'originalEventType' IN ${listed}`;
  assert.equal(await rows(audits), []);
  await until(() => destinations.has('svc.events.OrderCreated'));
  assert.equal(
    [...destinations].filter((destination) => !destination.startsWith('svc.events.')),
    [],
  );
});
