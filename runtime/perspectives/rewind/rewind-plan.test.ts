import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { planRewind } from './rewind-plan.js';
import { InMemoryLog } from '../../testing/in-memory-perspective-store.js';

const test = suite('rewind plan');

function log(...events: readonly (readonly [stream: string, at: number])[]): InMemoryLog {
  const made = new InMemoryLog();
  for (const [stream, at] of events) made.append(stream, 'Happened', {}, at, 'store');
  return made;
}

const summaryOf = ({ streams, others, forget }: ReturnType<typeof planRewind>) => ({
  streams: streams.map(({ key, trigger }) => [key, trigger.key.at]),
  others: others.map(({ event }) => event.globalPosition),
  forget: forget.map(({ key, after }) => [key, after.at]),
});

test('the late events of a stream become one rewind from the earliest, and the other streams continue', () => {
  const { entries } = log(['a', 10], ['b', 11], ['a', 7], ['a', 5], ['a', 8], ['b', 12]);
  assert.equal(summaryOf(planRewind(entries, new Set())), {
    streams: [['a', 5]],
    others: [2, 6],
    forget: [['a', 5]],
  });
});

test('a parked stream is not folded, but its snapshots after the late event are dropped', () => {
  const { entries } = log(['a', 10], ['a', 7]);
  assert.equal(summaryOf(planRewind(entries, new Set(['a']))), {
    streams: [],
    others: [],
    forget: [['a', 7]],
  });
});
