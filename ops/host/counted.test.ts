import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { counted, readUnlessIdle } from './counted.js';

const test = suite('counted figures');

const failureOf = (reading: Promise<number>): Promise<string> =>
  reading.then(String, (error: unknown) => (error as Error).message);

test('a count that failed rests like one that succeeded, and is unknown meanwhile', async () => {
  let asked = 0;
  const figures = counted(
    0,
    () => {
      asked++;
      return Promise.reject(new Error('statement timeout'));
    },
    () => 60_000,
  );
  for (let n = 0; n < 3; n++) assert.is(await failureOf(figures.read()), 'statement timeout');
  assert.is(asked, 1);
});

test('a failure later on leaves the last figures, and rests too', async () => {
  let asked = 0;
  const figures = counted(
    0,
    () => (++asked === 2 ? Promise.reject(new Error('statement timeout')) : Promise.resolve(asked)),
    () => 60_000,
  );
  assert.is(await figures.read(), 1);
  assert.is(await failureOf(figures.read(true)), 'statement timeout');
  for (let n = 0; n < 3; n++) assert.is(await figures.read(), 1);
  assert.is(asked, 2);
});

test('while it is counted again, the last figures are the answer', async () => {
  const answers: ((found: number) => void)[] = [];
  const figures = counted(
    0,
    () => new Promise<number>((resolve) => answers.push(resolve)),
    () => 60_000,
  );
  const [first, beside] = [figures.read(), figures.read()];
  answers[0]?.(1);
  assert.equal([await first, await beside], [1, 1]);
  const again = figures.read(true);
  assert.is(await figures.read(), 1);
  answers[1]?.(2);
  assert.equal([await again, await figures.read(), figures.last()], [2, 2, 2]);
  assert.is(answers.length, 2);
});

test('what was empty is read again only when the log has grown or is unknown, and what was found each time', async () => {
  const leases: { head: number | undefined } = { head: 7 };
  const found = [0, 0, 2, 0, 0];
  let asked = 0;
  const read = readUnlessIdle(
    leases,
    () => Promise.resolve(found[asked++] ?? 0),
    (count) => count === 0,
    Infinity,
  );
  const readings: number[] = [];
  for (const head of [7, 7, 8, 8, 9, 9, 9, undefined]) {
    leases.head = head;
    readings.push(await read(), asked);
  }
  assert.equal(readings, [0, 1, 0, 1, 0, 2, 0, 2, 2, 3, 0, 4, 0, 4, 0, 5]);
});

test('what was empty is read again after a while, although the log has not grown', async () => {
  let asked = 0;
  const again = (ms: number) =>
    readUnlessIdle(
      { head: 7 },
      () => Promise.resolve(asked++),
      () => true,
      ms,
    );
  const [soon, never] = [again(0), again(60_000)];
  for (const read of [soon, soon, never, never]) await read();
  assert.is(asked, 3);
});
