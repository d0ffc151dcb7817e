import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row, Statement } from '../database/database.js';
import { LossDetector } from './loss-detector.js';

const test = suite('loss detector');

/** A log that is a list of event ids. */
class Log {
  changes = 0;
  ids: readonly string[] = [];
  asked = 0;

  rows({ values = [] }: Statement): Promise<Row[]> {
    this.asked++;
    const [positions, ids] = values as [number[], string[]];
    const lost = positions.filter((position, n) => this.ids[position - 1] !== ids[n]);
    return Promise.resolve([[lost.length === 0 ? null : String(Math.max(...lost)), String(this.ids.length)]]);
  }
}

function scene() {
  const log = new Log();
  const witness = new LossDetector(log);
  log.ids = ['a', 'b', 'c'];
  witness.observe(3, 'c');
  return { log, witness };
}

test('a log that holds what was seen has lost nothing, and is checked once per change of connections', async () => {
  const { log, witness } = scene();
  assert.is(await witness.detect(), undefined);
  assert.is(await witness.detect(), undefined);
  assert.is(log.asked, 1);
  log.changes++;
  assert.is(await witness.detect(), undefined);
  assert.is(log.asked, 2);
});

test('a loss is noticed although newer events have passed the old head and were seen by the same host', async () => {
  const { log, witness } = scene();
  await witness.detect();
  log.ids = ['a', 'x', 'y', 'z'];
  log.changes++;
  witness.observe(4, 'z');
  assert.equal(await witness.detect(), { lostTo: 3, head: 4 });
});

test('events seen between a change of connections and the check count too', async () => {
  const { log, witness } = scene();
  log.changes++;
  log.ids = ['a', 'b', 'c', 'd'];
  witness.observe(4, 'd');
  log.changes++;
  log.ids = ['a', 'b', 'c', 'n'];
  assert.equal(await witness.detect(), { lostTo: 4, head: 4 });
});

test('a loss is reported once; from then on the new history counts', async () => {
  const { log, witness } = scene();
  await witness.detect();
  log.ids = ['a'];
  log.changes++;
  assert.ok(await witness.detect());
  witness.observe(2, 'n');
  log.ids = ['a', 'n'];
  log.changes++;
  assert.is(await witness.detect(), undefined);
});

test.run();
