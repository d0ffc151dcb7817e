import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { until, untilPasses } from '../../runtime/kit/until.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { probe } from '../testing/probed-host.js';
import { reportingHosts } from '../testing/reporting-hosts.js';

const test = suite('what hosts report of reactions, processes and timers');

const { shop, destinations, shared, start, rows, reported, isIn } = reportingHosts();
test.before(start);
test.after(() => shared.stop());

const svc = async (...args: readonly string[]): Promise<void> => {
  const env = { DATABASE_URL: shared.databaseUrl, SVC_ACTOR: 'ann' };
  const { code, stderr } = await svcInProcess([...args, '--reason', 'mended'], env);
  assert.is(code, 0, stderr);
};

/** Waits until both hosts say so: on a busy machine a check may have no answer for a while. */
const checkIs = (name: string, status: string, detail: string | null = null): Promise<void> =>
  untilPasses(async () => {
    for (const { url } of shared.hosts) {
      const found = (await probe(url)).checks.find((check) => check.name === name);
      assert.equal([found?.status, found?.detail], [status, detail]);
    }
  });

test('ProcessStarted and ProcessEnded are stored once each', async () => {
  const orderId = await shop.order();
  await isIn(orderId, 'awaitingPayment');
  await shop.pay(orderId);
  await isIn(orderId, 'paid');
  assert.equal(await reported('ProcessStarted', `data->>'processName', data->>'key', data->>'version'`), [
    `order-fulfilment ${orderId} 2`,
  ]);
  assert.equal(await reported('ProcessEnded', `data->>'processName', data->>'key', data->>'outcome'`), [
    `order-fulfilment ${orderId} paid`,
  ]);
});

test('a parked key is reported once, makes reactions Degraded on every host, and Healthy again once it is released', async () => {
  await checkIs('reactions', 'Healthy');
  const orderId = await shop.order();
  await isIn(orderId, 'awaitingPayment');
  shop.kept.add(orderId);
  await shop.cancel(orderId);
  await checkIs('reactions', 'Degraded', `order-fulfilment has parked ${orderId}.`);
  assert.equal(await reported('ReactionFailed', `data->>'reactionName', data->>'key', data->>'parked'`), [
    `order-fulfilment ${orderId} true`,
  ]);
  shop.kept.delete(orderId);
  await svc('processes', 'retry', 'order-fulfilment', orderId);
  await checkIs('reactions', 'Healthy');
  await isIn(orderId, 'cancelled');
});

test('a parked timer is reported once, makes timers Degraded on every host, and Healthy again once it has fired', async () => {
  await checkIs('timers', 'Healthy');
  const orderId = await shop.order();
  shop.unreachable.add(orderId);
  const reminder = `FROM svc_timers WHERE name = 'reminder' AND key = '${orderId}'`;
  await until(async () => (await rows(`SELECT 1 ${reminder}`)).length === 1);
  const [[id = ''] = []] = await rows(`SELECT id ${reminder}`);
  await svc('timers', 'run-now', id);
  await checkIs('timers', 'Degraded', `The timer reminder of ${orderId} is parked.`);
  const failures = await reported('ReactionFailed', `data->>'eventType', data->>'key', data->>'parked'`);
  assert.equal(
    failures.filter((line) => line.startsWith('timer')),
    [`timer command ${orderId} true`],
  );
  shop.unreachable.delete(orderId);
  await svc('timers', 'run-now', id);
  await checkIs('timers', 'Healthy');
  // What is run now is parked no longer, and fires a moment later.
  await until(async () => (await rows(`SELECT 1 ${reminder}`)).length === 0);
});

test('a command that fails in a step is reported once as CommandFailed, whether its step goes on or is parked', async () => {
  const orderId = newUuid();
  shop.soldOut.add(orderId);
  await shop.order(orderId);
  await isIn(orderId, 'cancelled');
  const failed = () => reported('CommandFailed', `data->>'commandType', data->'error'->>'code'`);
  await until(async () => (await failed()).length >= 3);
  assert.equal(await failed(), [
    'ReleaseStock stock-kept',
    'RemindCustomer no-address',
    'ReserveStock out-of-stock',
  ]);
});

test('none of it is audited, and none of it reaches the transport of a local-only host', async () => {
  const types = ['ReactionFailed', 'ProcessStarted', 'ProcessEnded'];
  const listed = `('${types.join("', '")}')`;
  const stored = await rows(
    `SELECT count(DISTINCT event_type), bool_or(publish) FROM svc_system_events WHERE event_type IN ${listed}`,
  );
  assert.equal(stored, [[String(types.length), 'false']]);
  const audits = `SELECT 1 FROM svc_system_events WHERE event_type = 'EventAudited' AND data->>'originalEventType' IN ${listed}`;
  assert.equal(await rows(audits), []);
  await until(() => destinations.has('svc.events.OrderCancelled'));
  assert.equal(
    [...destinations].filter((destination) => !destination.startsWith('svc.events.')),
    [],
  );
});
