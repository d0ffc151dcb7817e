import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { InspectionFeed } from './inspection-feed.js';
import type { Trace } from './request-trace.js';

const test = suite('inspection feed');

const nobody = (): void => undefined;

function attached(options: Partial<ConstructorParameters<typeof InspectionFeed>[0]> = {}): InspectionFeed {
  const feed = new InspectionFeed({ host: 'oven-1', tracesPerSecond: 1_000, ...options });
  feed.attach(nobody);
  return feed;
}

const speak = (trace: Trace | undefined, times = 1): void => {
  for (let n = 0; n < times; n++) trace?.message('Bake', 'lifecycle', 'lifecycle', 'hello');
};

test('nothing is recorded without a listener', () => {
  const feed = new InspectionFeed({ host: 'oven-1' });
  assert.is(feed.open('1', 'Bake'), undefined);
  const detach = feed.attach(nobody);
  assert.ok(feed.open('2', 'Bake') !== undefined);
  detach();
  assert.is(feed.open('3', 'Bake'), undefined);
  assert.equal([feed.attached, feed.dropped], [0, 0]);
});

test('at most twenty requests are recorded per second', () => {
  const feed = new InspectionFeed({ host: 'oven-1' });
  feed.attach(nobody);
  const opened = Array.from({ length: 1_000 }, (_, n) => feed.open(String(n), 'Bake'));
  const traced = opened.filter((trace) => trace !== undefined).length;
  assert.ok(traced >= 20 && traced < 40, String(traced));
});

test('every listener receives every frame as it happens', () => {
  const feed = attached();
  const [one, other]: string[][] = [[], []];
  feed.attach((frame) => void one?.push(frame));
  feed.attach((frame) => void other?.push(frame));
  speak(feed.open('1', 'Bake'), 3);
  assert.is(one?.length, 3);
  assert.equal(one, other);
});

test('the latest requests are kept, and the oldest are evicted', () => {
  const feed = attached({ traces: 3 });
  for (const id of ['1', '2', '3', '4', '5']) speak(feed.open(id, 'Bake'));
  assert.equal(
    ['1', '2', '3', '4', '5'].filter((id) => feed.trace(id) !== undefined),
    ['3', '4', '5'],
  );
});

test('the kept recordings are bounded by their size too', () => {
  const feed = attached({ traceBytes: 10_000, framesPerTrace: 10 });
  for (let n = 0; n < 400; n++) speak(feed.open(String(n), 'Bake'), 10);
  const kept = feed.replay(Infinity).reduce((sum, frame) => sum + frame.length, 0);
  assert.ok(kept > 5_000 && kept < 13_000, String(kept));
});

test('a request with too many frames is cut, and the missing ones are counted', () => {
  const feed = attached({ framesPerTrace: 5, traces: 1 });
  const trace = feed.open('1', 'Bake');
  speak(trace, 8);
  assert.is(trace?.frames.length, 5);
  assert.is(feed.dropped, 3);
  feed.open('2', 'Bake');
  assert.is(feed.dropped, 3, 'also after its eviction');
});

test('a replay has complete requests, the latest that fit, in order', () => {
  const feed = attached();
  for (const id of ['1', '2', '3']) speak(feed.open(id, 'Bake'), 2);
  const weight = feed.trace('3')?.bytes ?? 0;
  const rootOf = (frame: string) => (JSON.parse(frame) as { rootId: string }).rootId;
  assert.equal(feed.replay(2 * weight).map(rootOf), ['oven-1/2', 'oven-1/2', 'oven-1/3', 'oven-1/3']);
  assert.equal(feed.replay(weight - 1), []);
});
