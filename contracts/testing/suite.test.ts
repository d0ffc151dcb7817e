import * as assert from 'uvu/assert';
import { runSuite, suite, takeSuites, type Test } from './suite.js';

const test = suite('suite');

test('tests run in order, with the hooks around them', async () => {
  const { steps, results } = await ran((orders, step) => {
    orders.before(() => step('before'));
    orders.before.each(() => step('before.each'));
    orders.after.each(() => step('after.each'));
    orders.after(() => step('after'));
    orders('ships', () => step('ships'));
    orders('is paid', async () => step('is paid'));
  });
  const around = (name: string) => ['before.each', name, 'after.each'];
  assert.equal(steps, ['before', ...around('ships'), ...around('is paid'), 'after']);
  assert.equal(results, ['orders: ships', 'orders: is paid']);
});

test('a test that throws fails, whatever it throws, and the next one runs', async () => {
  const { results } = await ran((orders) => {
    orders('breaks', () => Promise.reject(new RangeError('too many')));
    orders('throws a word', () => Promise.reject<void>('word'));
    orders('throws nothing', () => Promise.reject<void>(undefined));
    orders('holds', () => undefined);
  });
  assert.equal(results, [
    'orders: breaks ✗ RangeError: too many',
    'orders: throws a word ✗ word',
    'orders: throws nothing ✗ undefined',
    'orders: holds',
  ]);
});

test('a failing before fails every test by name, runs none of them, and after is run', async () => {
  const { steps, results } = await ran((orders, step) => {
    orders.before(() => Promise.reject(new RangeError('no database')));
    orders.after(() => step('after'));
    for (const name of ['ships', 'is paid']) orders(name, () => step(name));
  });
  assert.equal(steps, ['after']);
  assert.equal(results, [
    'orders: ships ✗ before: RangeError: no database',
    'orders: is paid ✗ before: RangeError: no database',
  ]);
});

test('a failing before.each fails its test, which is not run, and after.each is', async () => {
  const { steps, results } = await ran((orders, step) => {
    orders.before.each(() => Promise.reject(new RangeError('no table')));
    orders.after.each(() => step('after.each'));
    orders('ships', () => step('ships'));
  });
  assert.equal(steps, ['after.each']);
  assert.equal(results, ['orders: ships ✗ before.each: RangeError: no table']);
});

test('a failing after.each fails its test, and does not hide what that threw', async () => {
  const { results } = await ran((orders) => {
    orders.after.each(() => Promise.reject(new RangeError('locked')));
    orders('breaks', () => Promise.reject(new RangeError('too many')));
    orders('holds', () => undefined);
  });
  assert.equal(results, [
    'orders: breaks ✗ RangeError: too many ✗ after.each: RangeError: locked',
    'orders: holds ✗ after.each: RangeError: locked',
  ]);
});

test('a failing after is a failure beside the tests', async () => {
  const { results } = await ran((orders) => {
    orders.after(() => Promise.reject(new RangeError('still connected')));
    orders('ships', () => undefined);
  });
  assert.equal(results, ['orders: ships', 'orders: after ✗ after: RangeError: still connected']);
});

test('a suite without a test fails', async () => {
  const { results } = await ran(() => undefined);
  assert.equal(results, ['orders: has no test ✗ A suite needs a test']);
});

test('what starts is named before it runs', async () => {
  const { begun } = await ran((orders) => orders('ships', () => undefined));
  assert.equal(begun, ['before', 'ships', 'after']);
});

test('a suite is taken once', () => {
  suite('orders');
  assert.equal(
    takeSuites().map(({ name }) => name),
    ['orders'],
  );
  assert.equal(takeSuites(), []);
});

async function ran(fill: (orders: Test, step: (name: string) => void) => void) {
  const steps: string[] = [];
  const begun: string[] = [];
  fill(suite('orders'), (name) => void steps.push(name));
  const results: string[] = [];
  for (const made of takeSuites()) {
    for (const { name, failures } of await runSuite(made, (what) => void begun.push(what)))
      results.push([name, ...failures.map(shown)].join(' ✗ '));
  }
  return { steps, begun, results };
}

const shown = ({ hook, error }: { readonly hook?: string; readonly error: unknown }): string =>
  hook === undefined ? String(error) : `${hook}: ${String(error)}`;
