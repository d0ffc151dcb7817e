import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { collect } from '../../runtime/kit/collect.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { BreadBaked, oven, bakeBread, type Bake, kitchen } from '../testing/bakery-service.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';

const test = suite('dispatcher retries');

/** A store in which another writer always commits first, this many times. */
const disturbed =
  (times: number, other: () => InMemoryEventStore): Bake =>
  async (_command, work) => {
    const before = (await collect(work.read(oven))).length;
    if (before < times) {
      const messageId = newUuid();
      await other().append(oven, {
        messageId,
        messageType: 'BreadBaked',
        payload: {},
        timestamp: new Date().toISOString(),
        v: 1,
      });
    }
    work.append(oven, new BreadBaked());
    return `${before} before`;
  };

test('a conflict is retried as often as the receptor allows, in a new unit', async () => {
  const world: InMemoryEventStore[] = [];
  const {
    dispatcher,
    store: watched,
    stored,
  } = kitchen(
    disturbed(2, () => world[0] ?? new InMemoryEventStore()),
    {},
    { retryOnConflict: 2 },
  );
  world.push(watched);
  assert.is(await dispatcher.localInvoke(bakeBread), '2 before');
  assert.is((await stored()).length, 3);
});

test('a conflict after the last retry is the answer', async () => {
  const world: InMemoryEventStore[] = [];
  const { dispatcher, store: watched } = kitchen(
    disturbed(2, () => world[0] ?? new InMemoryEventStore()),
    {},
    { retryOnConflict: 1 },
  );
  world.push(watched);
  assert.is((await thrownBy(() => dispatcher.localInvoke(bakeBread))).code, 'stream-conflict');
});

test('without retryOnConflict a conflict is not retried', async () => {
  let tries = 0;
  const { dispatcher } = kitchen((_command, work) => {
    tries++;
    work.append(oven, new BreadBaked(), { expectedPosition: 7 });
  });
  assert.is((await thrownBy(() => dispatcher.localInvoke(bakeBread))).code, 'stream-conflict');
  assert.is(tries, 1);
});

test('only a conflict is retried', async () => {
  let tries = 0;
  const failing = () => {
    tries++;
    throw new Problem('not-found');
  };
  const { dispatcher } = kitchen(failing, {}, { retryOnConflict: 5 });
  await thrownBy(() => dispatcher.localInvoke(bakeBread));
  assert.is(tries, 1);
});
