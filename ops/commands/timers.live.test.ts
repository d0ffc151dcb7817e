import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { until } from '../../runtime/kit/until.js';
import { operatedShop, Remind, why } from '../testing/operated-shop.js';

const test = suite('svc timers');

const { shared, broken, send, svc, json, mistake, eventsOf, acted } = operatedShop();
test.before(() => shared.start());
test.after(() => shared.stop());

interface Timers {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly key: string;
  readonly dueAt: string;
  readonly attempts: number;
  readonly parked: boolean;
}

const timerOf = async (key: string): Promise<Timers> => {
  const found = (await json<readonly Timers[]>('timers', 'list')).find((timer) => timer.key === key);
  assert.ok(found);
  return found;
};

test('a cancelled timer never fires, one that is run now fires once', async () => {
  const [cancelled, early] = [newUuid(), newUuid()];
  for (const customerId of [cancelled, early]) await send(Remind.of({ customerId, in: 'PT1H' }));
  const timer = await timerOf(cancelled);
  assert.equal(
    [timer.kind, timer.name, timer.key, timer.attempts, timer.parked],
    ['command', 'greeting', cancelled, 0, false],
  );
  const soon = new Date(Date.now() + 60_000).toISOString();
  assert.equal(await json('timers', 'list', '--due-before', soon), []);
  const { stdout, stderr } = await svc('timers', 'list', '--limit', '1');
  assert.match(stdout, /^[0-9a-f-]{36} {2}\S+ {2}command greeting [0-9a-f-]{36}\n$/);
  assert.is(stderr, 'svc: 1 more; --limit N lists up to N, at most 10000.\n');
  assert.equal(await json('timers', 'cancel', timer.id, ...why), { cancelled: timer.id });
  assert.match(
    await mistake('timers', 'cancel', timer.id, ...why),
    'it has fired, was cancelled, or never existed',
  );
  assert.match(
    await mistake('timers', 'run-now', timer.id, ...why),
    'it has fired, was cancelled, or never existed',
  );
  assert.match(await mistake('timers', 'run-now', 'soon', ...why), "'soon' is not the id of a timer");
  const { id } = await timerOf(early);
  const both = await Promise.all([svc('timers', 'run-now', id, ...why)]);
  assert.is(both[0]?.code, 0);
  await until(async () => (await eventsOf(early)).length > 0);
  assert.equal(await eventsOf(early), ['Greeted']);
  assert.equal(await eventsOf(cancelled), []);
  assert.equal(await json('timers', 'list'), []);
});

test('a key with line breaks stays on its line: it cannot look like another row', async () => {
  const customerId = 'a\nall is well\u001b[2J';
  await send(Remind.of({ customerId, in: 'P1D' }));
  const { id } = await timerOf(customerId);
  const { stdout } = await svc('timers', 'list');
  assert.match(stdout, 'command greeting a\\u000aall is well\\u001b[2J\n');
  await svc('timers', 'cancel', id, ...why);
});

test('a timer that was parked fires when it is run now', async () => {
  const customerId = newUuid();
  broken.add(customerId);
  await send(Remind.of({ customerId, in: 'PT0.1S' }));
  await until(async () => (await timerOf(customerId)).parked);
  broken.delete(customerId);
  await svc('timers', 'run-now', (await timerOf(customerId)).id, ...why);
  await until(async () => (await eventsOf(customerId)).length === 1);
});

test('an operator may act without a reason; what was done is recorded all the same', async () => {
  const customerId = newUuid();
  await send(Remind.of({ customerId, in: 'P3D' }));
  const { id } = await timerOf(customerId);
  assert.equal(await json('timers', 'cancel', id), { cancelled: id });
  assert.is((await acted()).at(-1), `timers cancel ${id} ann`);
});
