import { suite, test } from 'uvu';
import * as assert from 'uvu/assert';
import { watchSuites } from './observe-uvu-suites.js';

test('Skipped and focused tests are noticed in any suite made during the watch', () => {
  const { journal, failures } = recording();
  const watch = watchSuites(journal);
  const orders = suite('orders');
  watch.release();
  orders.skip('ships', () => {});
  orders.only('is paid', () => {});
  assert.equal(failures, [
    'skipped tests are not allowed: "ships"',
    'skipped tests are not allowed: all but "is paid"',
  ]);
});

test('A suite made after the watch is left alone', () => {
  const { journal, failures } = recording();
  watchSuites(journal).release();
  suite('orders').skip('ships', () => {});
  assert.equal(failures, []);
});

test('Any other function may have a run of its own', () => {
  const watch = watchSuites(recording().journal);
  const engine = Object.assign(() => 'started', { run: () => 'running' });
  watch.release();
  assert.is(engine.run(), 'running');
  assert.equal(Object.keys(engine), ['run']);
  assert.not('run' in Function.prototype);
});

test.run();

function recording() {
  const failures: string[] = [];
  return { failures, journal: { started: () => {}, failed: (what: string) => failures.push(what) } };
}
