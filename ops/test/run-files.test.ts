import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { FileResult } from './report.js';
import { liveLanes, runLiveFiles, runUnitFiles } from './run-files.js';
import type { Running } from './run-files.js';

test('Unit files run side by side, no more than allowed', async () => {
  const { running, told, most } = recording();
  await runUnitFiles(['a', 'b', 'c', 'd', 'e'], 2, running);
  assert.equal(told(), ['a', 'b', 'c', 'd', 'e']);
  assert.is(most(), 2);
});

test('Live files run side by side, and each lane is told where its own PostgreSQL is', async () => {
  const { running, told, most, urls } = recording();
  const postgres = fakePostgres();
  await runLiveFiles(['a', 'b', 'c'], 2, postgres.start, running);
  assert.equal(told(), ['a', 'b', 'c']);
  assert.equal(new Set(urls), new Set(['postgres://test-1', 'postgres://test-2']));
  assert.is(most(), 2);
  assert.equal(postgres.calls.toSorted(), ['start', 'start', 'stop', 'stop']);
});

test('A single live file needs a single PostgreSQL', async () => {
  const postgres = fakePostgres();
  await runLiveFiles(['a'], 2, postgres.start, recording().running);
  assert.equal(postgres.calls, ['start', 'stop']);
});

test('A server that was given is used by one file at a time', () => {
  assert.is(liveLanes({}), 2);
  assert.is(liveLanes({ TEST_DATABASE_URL: 'postgres://given' }), 1);
  assert.is(liveLanes({ NATS_URL: 'nats://given' }), 1);
});

test('Without live files PostgreSQL is not started', async () => {
  const postgres = fakePostgres();
  await runLiveFiles([], 2, postgres.start, recording().running);
  assert.equal(postgres.calls, []);
});

test('PostgreSQL is stopped even if the run breaks', async () => {
  const postgres = fakePostgres();
  const running: Running = {
    ...recording().running,
    run: () => Promise.reject(new RangeError('out of memory')),
  };
  const error: unknown = await runLiveFiles(['a', 'b'], 2, postgres.start, running).catch(
    (reason: unknown) => reason,
  );
  assert.match(String(error), 'out of memory');
  assert.equal(postgres.calls.toSorted(), ['start', 'start', 'stop', 'stop']);
});

test('If PostgreSQL does not start, that is the failure and no live file is run', async () => {
  const { running, told, results } = recording();
  await runLiveFiles(['a', 'b'], 1, () => Promise.reject(new RangeError('no binary')), running);
  assert.equal(told(), ['PostgreSQL for the live files']);
  assert.equal(results[0]?.problems, ['did not start: RangeError: no binary']);
});

test('If PostgreSQL does not stop, that is a failure of its own', async () => {
  const { running, told } = recording();
  const stop = () => Promise.reject(new RangeError('still busy'));
  await runLiveFiles(['a'], 2, () => Promise.resolve({ url: 'postgres://test', stop }), running);
  assert.equal(told(), ['a', 'PostgreSQL for the live files']);
});

test('After an interrupt no further file is run, and PostgreSQL is stopped', async () => {
  const interrupt = new AbortController();
  const { running, told } = recording(interrupt.signal);
  const postgres = fakePostgres();
  const run: Running['run'] = (file, env) => {
    interrupt.abort();
    return running.run(file, env);
  };
  await runLiveFiles(['a', 'b'], 1, postgres.start, { ...running, run });
  assert.equal(told(), ['a']);
  assert.equal(postgres.calls, ['start', 'stop']);
});

test.run();

function recording(signal = new AbortController().signal) {
  const results: FileResult[] = [];
  const urls: (string | undefined)[] = [];
  let now = 0;
  let most = 0;
  const running: Running = {
    signal,
    tell: (result) => results.push(result),
    run: async (file, env) => {
      urls.push(env['SVC_TEST_DATABASE_URL']);
      most = Math.max(most, ++now);
      await new Promise(setImmediate);
      now--;
      return { file, tests: 1, passed: 1, problems: [], output: '', ms: 1 };
    },
  };
  return { running, results, urls, told: () => results.map(({ file }) => file), most: () => most };
}

function fakePostgres() {
  const calls: string[] = [];
  const stop = async () => void calls.push('stop');
  const start = async () => {
    calls.push('start');
    return { url: `postgres://test-${calls.length}`, stop };
  };
  return { calls, start };
}
