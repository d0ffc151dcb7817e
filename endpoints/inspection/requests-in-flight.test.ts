import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { RequestRecorder } from './request-recorder.js';
import { RequestsInFlight } from './requests-in-flight.js';

const test = suite('requests in flight');

const recorder = (startedMs: number): RequestRecorder =>
  Object.assign(new RequestRecorder({ withTexts: false, begun: () => undefined, ended: () => undefined }), {
    startedMs,
  });

test('requests are listed until they end, in whatever order they do', () => {
  const all = [1, 2, 3, 4].map(recorder);
  for (const leaving of [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
    [1, 3, 0, 2],
  ]) {
    const inFlight = new RequestsInFlight();
    for (const one of all) inFlight.add(one);
    const left = new Set(all);
    for (const index of leaving) {
      const one = all[index] ?? recorder(0);
      inFlight.remove(one);
      left.delete(one);
      assert.equal(
        inFlight.all().map(({ startedMs }) => startedMs),
        [...left].map(({ startedMs }) => startedMs).reverse(),
      );
    }
  }
});

test('those that have been running for a while are listed, oldest first', () => {
  const inFlight = new RequestsInFlight();
  for (const startedMs of [10, 20, 30]) inFlight.add(recorder(startedMs));
  const listed = (ms: number, limit: number) =>
    inFlight.startedBefore(ms, limit).map(({ startedMs }) => startedMs);
  assert.equal(listed(25, 9), [10, 20]);
  assert.equal(listed(99, 1), [10]);
});
