import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { FileResult } from './report.js';
import { runLiveFiles, runUnitFiles } from './run-files.js';
import type { Running } from './run-files.js';

test('Unit files run side by side, no more than allowed', async () => {
  const { running, told, most } = recording();
  await runUnitFiles(['a', 'b', 'c', 'd', 'e'], 2, running);
  assert.equal(told(), ['a', 'b', 'c', 'd', 'e']);
  assert.is(most(), 2);
});

test('Live files run one after another and are told where PostgreSQL is', async () => {
  const { running, told, most, urls } = recording();
  const postgres = fakePostgres();
  await runLiveFiles(['a', 'b'], postgres.start, running);
  assert.equal(told(), ['a', 'b']);
  assert.equal(urls, ['postgres://test', 'postgres://test']);
  assert.is(most(), 1);
  assert.equal(postgres.calls, ['start', 'stop']);
});

test('Without live files PostgreSQL is not started', async () => {
  const postgres = fakePostgres();
  await runLiveFiles([], postgres.start, recording().running);
  assert.equal(postgres.calls, []);
});

test('PostgreSQL is stopped even if the run breaks', async () => {
  const postgres = fakePostgres();
  const running: Running = {
    ...recording().running,
    run: () => Promise.reject(new RangeError('out of memory')),
  };
  const error: unknown = await runLiveFiles(['a'], postgres.start, running).catch(
    (reason: unknown) => reason,
  );
  assert.match(String(error), 'out of memory');
  assert.equal(postgres.calls, ['start', 'stop']);
});

test('If PostgreSQL does not start, that is the one failure and no live file is run', async () => {
  const { running, told, results } = recording();
  await runLiveFiles(['a', 'b'], () => Promise.reject(new RangeError('no binary')), running);
  assert.equal(told(), ['PostgreSQL for the live files']);
  assert.equal(results[0]?.problems, ['did not start: RangeError: no binary']);
});

test('If PostgreSQL does not stop, that is a failure of its own', async () => {
  const { running, told } = recording();
  const stop = () => Promise.reject(new RangeError('still busy'));
  await runLiveFiles(['a'], () => Promise.resolve({ url: 'postgres://test', stop }), running);
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
  await runLiveFiles(['a', 'b'], postgres.start, { ...running, run });
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
    return { url: 'postgres://test', stop };
  };
  return { calls, start };
}
