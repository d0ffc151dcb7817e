import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import {
  Happen,
  type ListedReaction,
  operatedShop,
  Packed,
  Unrelated,
  why,
} from '../testing/operated-shop.js';

const test = suite('svc reactions');

const { shared, broken, send, svc, json, mistake, eventsOf, acted } = operatedShop(2);
test.before(() => shared.start());
test.after(() => shared.stop());

test('the lag of a reaction that nothing concerns is true: it follows the log', async () => {
  const listed = () => json<readonly ListedReaction[]>('reactions', 'list');
  await until(async () => (await listed()).length === 2);
  await until(async () => (await listed()).every(({ lag, state }) => lag === 0 && state === 'live'));
  for (let n = 0; n < 10; n++) await send(Happen.of({ orderId: newUuid(), event: new Unrelated() }), n % 2);
  await until(async () => (await listed()).every(({ lag }) => lag === 0));
  assert.equal(Object.keys((await listed())[0] ?? {}), [
    'name',
    'position',
    'lag',
    'retrying',
    'parked',
    'state',
    'kind',
  ]);
  const { stdout } = await svc('reactions', 'list');
  assert.match(stdout, /^order-fulfilment +process +live +at \d+, 0 behind\ndeliver +reaction +live/);
});

test('a parked key is shown, released and handled once, and then what waited behind it', async () => {
  const orderId = newUuid();
  broken.add(orderId);
  for (let n = 0; n < 3; n++) await send(Happen.of({ orderId, event: Packed.of({ orderId }) }), n % 2);
  const parked = () => json<readonly { key: string; state: string; error: string }[]>('reactions', 'parked');
  await until(async () => (await parked()).some(({ key, state }) => key === orderId && state === 'parked'));
  assert.match((await parked())[0]?.error ?? '', 'out-of-service');
  await until(async () =>
    (await json<readonly ListedReaction[]>('reactions', 'list')).some((one) => one.parked === 1),
  );
  assert.is(
    await mistake('reactions', 'release', 'deliver', 'nobody', ...why),
    'The key nobody of deliver is not parked.',
  );
  assert.is(
    await mistake('reactions', 'release', 'delivery', ...why),
    "There is no reaction 'delivery'; there are: order-fulfilment, deliver.",
  );
  broken.delete(orderId);
  const answers = await Promise.all([svc('reactions', 'release', 'deliver', orderId, ...why)]);
  assert.match(answers[0]?.stdout ?? '', /^Released 1 key of deliver; hosts try again at once\.\n$/);
  await until(async () => (await eventsOf(orderId)).length === 6);
  assert.equal(await eventsOf(orderId), [
    'Packed',
    'Packed',
    'Packed',
    'Delivered',
    'Delivered',
    'Delivered',
  ]);
  assert.equal(await json('reactions', 'release', 'deliver', ...why), { released: 0 });
  assert.equal(await acted(), [`reactions release deliver ${orderId} ann mended`]);
});

test('a key that still fails is parked again, with nothing sent', async () => {
  const orderId = newUuid();
  broken.add(orderId);
  await send(Happen.of({ orderId, event: Packed.of({ orderId }) }));
  const failures = async () =>
    Number(
      (
        await rowsOf(
          shared.databaseUrl,
          `SELECT count(*) FROM svc_system_events WHERE event_type = 'ReactionFailed' AND data->>'key' = '${orderId}'`,
        )
      )[0]?.[0],
    );
  await until(async () => (await failures()) === 1);
  await svc('reactions', 'release', 'deliver', ...why);
  await until(async () => (await failures()) === 2);
  assert.equal(await eventsOf(orderId), ['Packed']);
  broken.delete(orderId);
  await svc('reactions', 'release', 'deliver', ...why);
  await until(async () => (await eventsOf(orderId)).length === 2);
});

test('skip gives up the event at which a parked key stands, never a later one, and health recovers', async () => {
  const orderId = newUuid();
  broken.add(orderId);
  for (let n = 0; n < 3; n++) await send(Happen.of({ orderId, event: Packed.of({ orderId }) }), n % 2);
  type Parked = readonly { key: string; state: string; position: number }[];
  const position = async () =>
    (await json<Parked>('reactions', 'parked')).find((one) => one.key === orderId && one.state === 'parked')
      ?.position;
  await until(async () => (await position()) !== undefined);
  const first = (await position()) ?? 0;
  assert.match(await mistake('reactions', 'skip', 'deliver', orderId), /^skip needs --reason TEXT/);
  assert.is(
    await mistake('reactions', 'skip', 'deliver', 'nobody', ...why),
    'The key nobody of deliver is not parked.',
  );
  assert.match(await mistake('reactions', 'skip', 'deliver', orderId, '--at', 'x', ...why), /^--at must be/);
  assert.equal(await json('reactions', 'skip', 'deliver', orderId, '--at', String(first), ...why), {
    skipped: first,
    name: 'deliver',
    key: orderId,
  });
  await until(async () => ((await position()) ?? 0) > first);
  assert.equal(await eventsOf(orderId), ['Packed', 'Packed', 'Packed']);
  // A second operator, who has seen the same event.
  assert.is(
    await mistake('reactions', 'skip', 'deliver', orderId, '--at', String(first), ...why),
    `The key ${orderId} of deliver is parked at ${await position()}, not at ${first}: look at that event first.`,
  );
  broken.delete(orderId);
  await svc('reactions', 'release', 'deliver', orderId, ...why);
  await until(async () => (await eventsOf(orderId)).length === 5);
  assert.equal((await eventsOf(orderId)).slice(3), ['Delivered', 'Delivered']);
  assert.ok((await acted()).includes(`reactions skip deliver ${orderId} at ${first} ann mended`));
  await until(async () =>
    (await json<readonly ListedReaction[]>('reactions', 'list')).every(({ parked }) => parked === 0),
  );
  await until(async () => (await healthOf('reactions')) === 'Healthy');
});

async function healthOf(check: string): Promise<string | undefined> {
  const answer = await fetch(`${shared.hosts[0]?.url ?? ''}/health`);
  const { checks } = (await answer.json()) as { checks: readonly { name: string; status: string }[] };
  return checks.find(({ name }) => name === check)?.status;
}
