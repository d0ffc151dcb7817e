import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Row, Statement } from '../database/database.js';
import { thrownBy } from '../testing/thrown-by.js';
import { StoreWitness } from './store-witness.js';

const test = suite('store witness');

/** A log that is a list of event ids, with the loss that its operators know of. */
class Log {
  ids: readonly string[] = ['a', 'b', 'c'];
  epoch = 1;
  lostTo = 0;
  acceptedTo = 0;
  asked: (readonly unknown[])[] = [];

  rows({ values = [] }: Statement): Promise<Row[]> {
    this.asked.push(values);
    const [, positions, ids, , accepts] = values as [number[], number[], string[], string, boolean];
    const lost = positions.filter((position, n) => this.ids[position - 1] !== ids[n]);
    const isFresh = Math.max(0, ...lost) > this.lostTo;
    if (isFresh) this.lostTo = Math.max(...lost);
    if (isFresh) this.epoch++;
    if (accepts) this.acceptedTo = this.lostTo;
    const isRefused = this.lostTo > this.acceptedTo;
    const loss = isFresh || isRefused ? [String(this.epoch), '1', String(this.lostTo)] : [null, null, null];
    const flags = [lost.length > 0, isFresh, isRefused, false].map((flag) => (flag ? 't' : 'f'));
    return Promise.resolve([[String(this.epoch), ...flags, ...loss]]);
  }
}

async function scene(acceptsLoss = true) {
  const log = new Log();
  const witness = new StoreWitness({ host: 'north', acceptsLoss });
  await witness.start(log);
  witness.observe(3, 'c');
  return { log, witness };
}

test('nothing is checked before the schema is there', async () => {
  const log = new Log();
  await new StoreWitness({ host: 'north', acceptsLoss: true }).connected(log);
  assert.equal(log.asked, []);
});

test('a log that holds what was seen has lost nothing', async () => {
  const { log, witness } = await scene();
  await witness.connected(log);
  assert.equal([witness.loss, witness.losses], [undefined, 0]);
});

test('a loss is noticed on the first new connection, before newer events pass the old head', async () => {
  const { log, witness } = await scene();
  log.ids = ['a'];
  await witness.connected(log);
  assert.equal(witness.loss, { epoch: 2, fork: 1, lostTo: 3 });
  assert.is(witness.epoch, 2);
});

test('a loss is noticed although newer events have passed the old head and were seen by the same host', async () => {
  const { log, witness } = await scene();
  log.rows = () => Promise.reject(new Problem('store-unavailable'));
  await witness.connected(log);
  Reflect.deleteProperty(log, 'rows');
  log.ids = ['a', 'x', 'y', 'z'];
  witness.observe(4, 'z');
  await witness.check(log);
  assert.is(witness.loss?.lostTo, 3);
});

test('a loss is reported once; from then on the new history counts', async () => {
  const { log, witness } = await scene();
  log.ids = ['a'];
  await witness.connected(log);
  log.ids = ['a', 'n'];
  witness.observe(2, 'n');
  await witness.connected(log);
  assert.equal([witness.losses, log.epoch], [1, 2]);
});

test('a loss that another host has reported already is not reported again, nor is it later', async () => {
  const { log, witness } = await scene();
  Object.assign(log, { ids: ['a'], epoch: 2, lostTo: 3, acceptedTo: 3 });
  await witness.connected(log);
  await witness.connected(log);
  assert.equal([witness.losses, log.epoch, log.asked.at(-1)?.[1]], [0, 2, []]);
});

test('what was seen is compared in the epoch in which it was last found', async () => {
  const { log, witness } = await scene();
  log.epoch = 5;
  await witness.connected(log);
  await witness.connected(log);
  assert.equal(log.asked.at(-1)?.slice(0, 2), [[5], [3]]);
});

test('where two copies were promised, nothing is written after a loss until it is accepted', async () => {
  const { log, witness } = await scene(false);
  witness.mustAcceptWrites();
  log.ids = ['a'];
  await witness.connected(log);
  assert.ok(witness.isRefused);
  assert.is((await thrownBy(() => witness.mustAcceptWrites())).code, 'store-went-back');
  await witness.check(log);
  assert.ok(witness.isRefused);
  log.acceptedTo = 3;
  await witness.check(log);
  assert.not(witness.isRefused);
  witness.mustAcceptWrites();
});

test('a host that starts on a store with a loss that nobody accepted writes nothing', async () => {
  const log = new Log();
  Object.assign(log, { epoch: 2, lostTo: 3 });
  const witness = new StoreWitness({ host: 'south', acceptsLoss: false });
  await witness.start(log);
  assert.ok(witness.isRefused);
});
