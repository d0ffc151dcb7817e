import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { problems } from '../../../contracts/problems.js';
import { problemComponents, problemResponses } from './openapi-problems.js';

const test = suite('openapi-problems');

test('every status has one response, and every example that status', () => {
  const components = problemComponents() as Record<
    string,
    { content: Record<string, { examples?: object }> }
  >;
  for (const [status, reference] of Object.entries(problemResponses())) {
    const name = String(reference['$ref']).split('/').at(-1) ?? '';
    const examples = components[name]?.content['application/problem+json']?.examples ?? {};
    for (const [code, { value }] of Object.entries(examples) as [
      keyof typeof problems,
      { value: { status: number } },
    ][]) {
      assert.is(String(value.status), status, code);
      assert.is(value.status, problems[code].status);
    }
  }
});

test('what tells about ourselves is not told', () => {
  const text = JSON.stringify(problemComponents());
  for (const code of ['invalid-setup', 'unit-closed', 'invalid-event', 'reserved-stream', 'client-gone'])
    assert.not.match(text, code);
});

test('an answer that says when to try again has the header', () => {
  const text = (name: string) => JSON.stringify(problemComponents()[name]);
  assert.match(text('Unavailable'), 'Retry-After');
  assert.not.match(text('BadRequest'), 'Retry-After');
});

test.run();
