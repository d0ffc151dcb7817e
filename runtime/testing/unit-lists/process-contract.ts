import assert from 'node:assert/strict';
import { microsOf } from '../../store/micros.js';
import { type Rule, answers, process, steps, fail } from './units.js';

export function processRules(rule: Rule): void {
  rule('a process is stored with its revision', async (subject) => {
    await answers(subject, [steps({ snapshot: { value: 'ü' }, trail: [1], version: 2 })]);
    const stored = await subject.reactions.process('fulfilment', 'o-1');
    const { startedAt, updatedAt, ...kept } = stored ?? fail();
    const { revision: _read, ...given } = process({ snapshot: { value: 'ü' }, trail: [1], version: 2 });
    assert.deepEqual(kept, { ...given, revision: 1, error: null });
    assert.equal(startedAt, updatedAt);
    assert.equal(await subject.reactions.process('fulfilment', 'o-2'), undefined);
    assert.equal(await subject.reactions.process('other', 'o-1'), undefined);
  });

  rule('a step needs the revision that is stored', async (subject) => {
    assert.deepEqual(await answers(subject, [steps({ revision: 1 })]), ['stream-conflict']);
    assert.deepEqual(await answers(subject, [steps({ revision: 0 })]), ['stored']);
    assert.deepEqual(await answers(subject, [steps({ revision: 0 })]), ['stream-conflict']);
    assert.deepEqual(await answers(subject, [steps({ revision: 1, state: 'paid' })]), ['stored']);
    const stored = (await subject.reactions.process('fulfilment', 'o-1')) ?? fail();
    assert.deepEqual([stored.revision, stored.state], [2, 'paid']);
    assert.ok(microsOf(stored.updatedAt) >= microsOf(stored.startedAt));
  });

  rule('a process that ended stays, and does not start again', async (subject) => {
    await answers(subject, [steps({ status: 'ended' })]);
    assert.equal((await subject.reactions.process('fulfilment', 'o-1'))?.status, 'ended');
    assert.deepEqual(await answers(subject, [steps({ revision: 0 })]), ['stream-conflict']);
  });

  rule('a parked process says why', async (subject) => {
    await answers(subject, [steps({ status: 'parked', error: 'process-version' })]);
    const stored = await subject.reactions.process('fulfilment', 'o-1');
    assert.deepEqual([stored?.status, stored?.error], ['parked', 'process-version']);
  });

  rule('of two steps of one flush from one revision, the first is stored', async (subject) => {
    const units = [steps({}), steps({}), steps({ revision: 1, state: 'paid' }), steps({ key: 'o-2' })];
    assert.deepEqual(await answers(subject, units), ['stored', 'stream-conflict', 'stored', 'stored']);
    assert.equal((await subject.reactions.process('fulfilment', 'o-1'))?.state, 'paid');
  });
}
