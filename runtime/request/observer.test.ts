import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Cancellation } from '../lang/cancellation.js';
import { fanOut, type Observed, observed, type Observer, type Part, type Visit } from './observer.js';
import { RequestContext } from './request-context.js';

const test = suite('observer');

const bake: Observed = {
  type: 'BakeBread',
  command: undefined,
  context: new RequestContext({ transport: 'local', cancellation: new Cancellation() }),
};

/** Writes down what it observes. */
const diarist = (name: string, lines: string[]): Observer => ({
  entered: (part, { type }) => {
    lines.push(`${name}: ${type} in ${part}`);
    return {
      moved: (event, to) => void lines.push(`${name}: ${event} → ${to}`),
      left: ({ outcome }) => void lines.push(`${name}: ${outcome}`),
    };
  },
});

const entered = (observer: Observer, part: Part): Visit => observer.entered(part, bake) ?? {};

const blind: Observer = { entered: () => undefined };

test('work is observed from its entrance to its end, whether it waits, fails or does neither', async () => {
  const lines: string[] = [];
  const observer = diarist('a', lines);
  const broken = new TypeError('burnt');
  assert.is(
    observed(entered(observer, 'handler'), () => 'bread'),
    'bread',
  );
  assert.is(await observed(entered(observer, 'store'), () => Promise.resolve('toast')), 'toast');
  const fail = (): never => {
    throw broken;
  };
  assert.throws(() => observed(entered(observer, 'handler'), fail), 'burnt');
  const rejected = observed(entered(observer, 'store'), () => Promise.reject(broken));
  assert.is(await rejected.catch((error: unknown) => error), broken);
  assert.equal(lines, [
    ...['a: BakeBread in handler', 'a: completed'],
    ...['a: BakeBread in store', 'a: completed'],
    ...['a: BakeBread in handler', 'a: failed'],
    ...['a: BakeBread in store', 'a: failed'],
  ]);
});

test('several observers see the same, in their order, and one that does not look costs nothing', () => {
  const lines: string[] = [];
  const all = fanOut(diarist('a', lines), blind, diarist('b', lines));
  const visit = entered(all, 'handler');
  observed(visit, () => visit.moved?.('begin', 'running'));
  assert.equal(lines, [
    ...['a: BakeBread in handler', 'b: BakeBread in handler'],
    ...['a: begin → running', 'b: begin → running'],
    ...['a: completed', 'b: completed'],
  ]);
  assert.is(fanOut(blind, blind).entered('store', bake), undefined);
  assert.not(fanOut(blind, diarist('c', lines)).entered('store', bake)?.isWatched);
});

test('an observer of the ends alone is called with each end, and adds nothing to a visit', () => {
  const ends: string[] = [];
  const one: Observer = { ...blind, ended: ({ type }, { outcome }) => ends.push(`${type}: ${outcome}`) };
  const all = fanOut(one, blind, one);
  assert.is(all.entered('lifecycle', bake), undefined);
  all.ended?.(bake, { outcome: 'completed', result: 'bread' });
  assert.equal(ends, ['BakeBread: completed', 'BakeBread: completed']);
});

test('work runs within all observers that surround it, the first outermost', () => {
  const lines: string[] = [];
  const around = (name: string): Observer => ({
    entered: () => ({
      within: (work) => {
        lines.push(`${name} begins`);
        const result = work();
        lines.push(`${name} ends`);
        return result;
      },
    }),
  });
  const result = observed(entered(fanOut(around('a'), blind, around('b')), 'handler'), () => 'bread');
  assert.is(result, 'bread');
  assert.equal(lines, ['a begins', 'b begins', 'b ends', 'a ends']);
});
