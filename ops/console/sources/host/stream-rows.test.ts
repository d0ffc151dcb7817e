import * as assert from 'uvu/assert';
import { Event } from '../../../../contracts/message.js';
import type { AnyPerspective } from '../../../../contracts/perspective.js';
import { Problem } from '../../../../contracts/problems.js';
import { suite } from '../../../../contracts/testing/suite.js';
import { InMemoryLog } from '../../../../runtime/testing/in-memory-perspective-store.js';
import { rowSteps } from './stream-rows.js';

const test = suite('rows at an event');

class Counted extends Event {}
class Named extends Event {}

interface Line {
  readonly total: number;
  readonly name?: string;
}

interface Change {
  readonly add?: number;
  readonly name?: string;
}

const lines = (over: object = {}): AnyPerspective =>
  ({
    name: 'lines',
    events: [Counted, Named],
    initial: () => ({ total: 0 }),
    apply: (line: Line, { payload: { add, name } }: { readonly payload: Change }) => {
      if (add === 0) return null;
      if (add === 13) throw new Problem('unlucky', { detail: 'Thirteen is unlucky.' });
      return { total: line.total * 2 + (add ?? 0), ...(name === undefined ? {} : { name }) };
    },
    ...over,
  }) as unknown as AnyPerspective;

const open = { isSensitive: () => false, bodyOf: (_: string, message: unknown) => message };

const secret = {
  isSensitive: (type: string) => type === 'Named',
  bodyOf: (type: string, message: unknown) => (type === 'Named' ? { name: '***' } : message),
};

function log(...changes: readonly (readonly [type: string, payload: unknown, at?: number])[]) {
  const made = new InMemoryLog();
  for (const [index, [type, payload, at = index]] of changes.entries())
    made.append('a', type, payload, at, 'store');
  return made.entries;
}

test('a row is shown as it was before the event and as it is after it', async () => {
  const [step] = await rowSteps([lines()], open, log(['Counted', { add: 1 }], ['Counted', { add: 2 }]));
  assert.equal(step, {
    perspective: 'lines',
    key: 'a',
    before: { total: 1 },
    after: { total: 4 },
    isPartial: false,
    failure: undefined,
  });
});

test('the first event makes the row, and one that deletes it leaves none', async () => {
  const [first] = await rowSteps([lines()], open, log(['Counted', { add: 1 }]));
  assert.equal([first?.before, first?.after], [null, { total: 1 }]);
  const [last] = await rowSteps([lines()], open, log(['Counted', { add: 1 }], ['Counted', { add: 0 }]));
  assert.equal([last?.before, last?.after], [{ total: 1 }, null]);
});

test('sensitive fields are hidden before they are folded', async () => {
  const entries = log(['Named', { name: 'Ada' }], ['Counted', { add: 1 }], ['Named', { name: 'Grace' }]);
  const steps = await rowSteps([lines()], secret, entries);
  assert.equal(steps[0]?.after, { total: 2, name: '***' });
  assert.not.match(JSON.stringify(steps), /Ada|Grace/);
});

test('an event that cannot be folded leaves the row and says why; a sensitive perspective hides the message', async () => {
  const entries = log(['Counted', { add: 1 }], ['Counted', { add: 13 }]);
  const [step] = await rowSteps([lines()], open, entries);
  assert.equal([step?.before, step?.after], [{ total: 1 }, { total: 1 }]);
  assert.match(step?.failure ?? '', /unlucky: Thirteen is unlucky\./);
  const [hidden] = await rowSteps([lines()], secret, entries);
  assert.not.match(hidden?.failure ?? '', /Thirteen/);
});

test('a late event is folded where it happened, as the runner does it', async () => {
  const entries = log(['Counted', { add: 1 }, 1], ['Counted', { add: 2 }, 3], ['Counted', { add: 4 }, 2]);
  const [step] = await rowSteps([lines()], open, entries);
  assert.equal([step?.before, step?.after], [{ total: 4 }, { total: 14 }]);
});

test('a perspective that does not take the event shows its row unchanged; without events it has none', async () => {
  const counts = lines({ name: 'counts', events: [Counted] });
  const entries = log(['Counted', { add: 1 }], ['Named', { name: 'Ada' }]);
  const [step] = await rowSteps([counts], open, entries);
  assert.equal([step?.before, step?.after], [{ total: 1 }, { total: 1 }]);
  assert.equal(await rowSteps([counts], open, log(['Named', { name: 'Ada' }])), []);
});

test('a row of several streams is marked: it holds only what this stream gave it', async () => {
  const key = ({ payload }: { readonly payload: Change }) => payload.name ?? 'none';
  const byName = lines({ key, late: 'apply' });
  const entries = log(
    ['Named', { name: 'x', add: 1 }],
    ['Named', { name: 'y', add: 5 }],
    ['Named', { name: 'x', add: 2 }],
  );
  const [step] = await rowSteps([byName], open, entries);
  assert.equal([step?.key, step?.isPartial], ['x', true]);
  assert.equal(
    [step?.before, step?.after],
    [
      { total: 1, name: 'x' },
      { total: 4, name: 'x' },
    ],
  );
});
