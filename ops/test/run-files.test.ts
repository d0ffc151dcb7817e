import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { FileResult } from './report.js';
import { type Lane, lanesFor, runFiles } from './run-files.js';
import type { Running } from './run-files.js';

const test = suite('run-files');

const runUnitFiles = (unit: readonly string[], lanes: number, running: Running): Promise<void> =>
  runFiles({ live: [], unit }, many(lanes, ['unit', 'live']), noPostgres, running);

const runLiveFiles = (
  live: readonly string[],
  lanes: number,
  startPostgres: Parameters<typeof runFiles>[2],
  running: Running,
): Promise<void> => runFiles({ live, unit: [] }, many(lanes, ['live', 'unit']), startPostgres, running);

const many = (length: number, lane: Lane): Lane[] => Array.from({ length }, () => lane);
const noPostgres = () => Promise.reject(new RangeError('no live file needs it'));

test('Unit files run side by side, no more than allowed', async () => {
  const { running, reported, most } = recording();
  await runUnitFiles(['a', 'b', 'c', 'd', 'e'], 2, running);
  assert.equal(reported(), ['a', 'b', 'c', 'd', 'e']);
  assert.is(most(), 2);
});

test('Live files run side by side, and each lane knows where its own PostgreSQL is', async () => {
  const { running, reported, most, urls } = recording();
  const postgres = fakePostgres();
  await runLiveFiles(['a', 'b', 'c'], 2, postgres.start, running);
  assert.equal(reported(), ['a', 'b', 'c']);
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
  const atOnce = (env: NodeJS.ProcessEnv): number =>
    lanesFor(2, env).filter((lane) => lane.includes('live')).length;
  assert.ok(atOnce({}) > 1);
  assert.is(atOnce({ TEST_DATABASE_URL: 'postgres://given' }), 1);
  assert.is(atOnce({ NATS_URL: 'nats://given' }), 1);
});

test('A lane continues with the other kind when its own has no file left', async () => {
  const { running, reported, urls } = recording();
  const postgres = fakePostgres();
  const files = { live: ['a.live', 'b.live'], unit: ['c', 'd'] };
  await runFiles(files, [['unit', 'live']], postgres.start, running);
  assert.equal(reported(), ['c', 'd', 'a.live', 'b.live']);
  assert.equal(urls, [undefined, undefined, 'postgres://test-1', 'postgres://test-1']);
  await runFiles(files, [['live', 'unit']], postgres.start, running);
  assert.equal(reported().slice(4), ['a.live', 'b.live', 'c', 'd']);
});

test('Unit files and live files run at the same time', async () => {
  const { running, most } = recording();
  const files = { live: ['a.live', 'b.live'], unit: ['c', 'd'] };
  await runFiles(
    files,
    [
      ['live', 'unit'],
      ['unit', 'live'],
    ],
    fakePostgres().start,
    running,
  );
  assert.is(most(), 2);
});

test('Without live files PostgreSQL is not started', async () => {
  const postgres = fakePostgres();
  await runLiveFiles([], 2, postgres.start, recording().running);
  assert.equal(postgres.calls, []);
});

test('PostgreSQL is stopped even if the run breaks', async () => {
  const postgres = fakePostgres();
  const { running } = recording({ run: () => Promise.reject(new RangeError('out of memory')) });
  const error: unknown = await runLiveFiles(['a', 'b'], 2, postgres.start, running).catch(
    (reason: unknown) => reason,
  );
  assert.match(String(error), 'out of memory');
  assert.equal(postgres.calls.toSorted(), ['start', 'start', 'stop', 'stop']);
});

test('If PostgreSQL does not start, that is the failure and no live file is run', async () => {
  const { running, reported, results } = recording();
  await runLiveFiles(['a', 'b'], 1, () => Promise.reject(new RangeError('no binary')), running);
  assert.equal(reported(), ['PostgreSQL for the live files']);
  assert.equal(results[0]?.problems, ['did not start: RangeError: no binary']);
});

test('If PostgreSQL does not stop, that is a failure of its own', async () => {
  const { running, reported } = recording();
  const stop = () => Promise.reject(new RangeError('still busy'));
  await runLiveFiles(['a'], 2, () => Promise.resolve({ env: {}, stop }), running);
  assert.equal(reported(), ['a', 'PostgreSQL for the live files']);
});

test('After an interrupt no further file is run, and PostgreSQL is stopped', async () => {
  const interrupt = new AbortController();
  const { running, reported } = recording({
    signal: interrupt.signal,
    run: async (file) => {
      interrupt.abort();
      return passed(file);
    },
  });
  const postgres = fakePostgres();
  await runLiveFiles(['a', 'b'], 1, postgres.start, running);
  assert.equal(reported(), ['a']);
  assert.equal(postgres.calls, ['start', 'stop']);
});

test('One worker runs file after file, and ends after the last', async () => {
  const { running, workers } = recording();
  await runUnitFiles(['a', 'b', 'c'], 1, running);
  assert.equal(workers, ['start', 'a', 'b', 'c', 'end']);
});

test('After a file that spoils its worker, a new worker continues', async () => {
  const { running, workers } = recording({ spoiledBy: 'a' });
  await runUnitFiles(['a', 'b'], 1, running);
  assert.equal(workers, ['start', 'a', 'start', 'b', 'end']);
});

test('A worker that ends badly is the failure of its last file', async () => {
  const { running, reported, results } = recording({ end: 'exited with code 3' });
  await runUnitFiles(['a', 'b'], 1, running);
  assert.equal(reported(), ['a', 'b', 'b']);
  assert.equal(results.at(-1)?.problems, ['exited with code 3 after its tests had finished']);
});

interface Fake {
  readonly signal?: AbortSignal;
  readonly run?: (file: string) => Promise<FileResult>;
  readonly spoiledBy?: string;
  readonly end?: string;
}

function recording(fake: Fake = {}) {
  const results: FileResult[] = [];
  const urls: (string | undefined)[] = [];
  const workers: string[] = [];
  let now = 0;
  let most = 0;
  const running: Running = {
    signal: fake.signal ?? new AbortController().signal,
    report: (result) => results.push(result),
    start: (env) => {
      workers.push('start');
      let last = '';
      return {
        run: async (file) => {
          workers.push(file);
          last = file;
          urls.push(env['SVC_TEST_DATABASE_URL']);
          most = Math.max(most, ++now);
          await new Promise(setImmediate);
          now--;
          return fake.run?.(file) ?? passed(file);
        },
        isSpent: () => last === fake.spoiledBy,
        end: async () => {
          workers.push('end');
          return fake.end;
        },
      };
    },
  };
  return {
    running,
    results,
    urls,
    workers,
    reported: () => results.map(({ file }) => file),
    most: () => most,
  };
}

const passed = (file: string): FileResult => ({
  file,
  tests: 1,
  passed: 1,
  problems: [],
  left: [],
  output: '',
  ms: 1,
});

function fakePostgres() {
  const calls: string[] = [];
  const stop = async () => void calls.push('stop');
  const start = async () => {
    calls.push('start');
    return { env: { SVC_TEST_DATABASE_URL: `postgres://test-${calls.length}` }, stop };
  };
  return { calls, start };
}
