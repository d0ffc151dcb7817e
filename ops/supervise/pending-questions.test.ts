import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFakeTimeouts } from '../../runtime/testing/fake-timeouts.js';
import { PendingQuestions } from './pending-questions.js';

const test = suite('questions');

test('every question gets its own answer, in any order of arrival', async () => {
  const questions = new PendingQuestions<string>();
  const ids: number[] = [];
  const asked = [1, 2, 3].map(() => questions.ask((id) => ids.push(id)));
  for (const id of ids.toReversed()) questions.answer(id, `answer ${id}`);
  assert.equal(await Promise.all(asked), ['answer 1', 'answer 2', 'answer 3']);
});

test('a question without an answer ends after two seconds, and a late answer is ignored', () =>
  withFakeTimeouts(async (clock) => {
    const questions = new PendingQuestions<string>();
    let asked = 0;
    const answer = questions.ask((id) => (asked = id));
    clock.advance(2_000);
    assert.is(await answer, undefined);
    questions.answer(asked, 'late');
  }));

test('questions over the limit are not asked, and each answer makes room', async () => {
  const questions = new PendingQuestions<string>();
  const ids: number[] = [];
  const ask = () => questions.ask((id) => ids.push(id));
  const asked = Array.from({ length: 300 }, ask);
  assert.is(await asked.at(-1), undefined);
  assert.is(ids.length, 256);
  for (const id of ids) questions.answer(id, 'answer');
  assert.is(await asked[0], 'answer');
  void ask();
  assert.is(ids.length, 257);
  questions.answer(ids.at(-1) ?? 0, 'answer');
});
