import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { parseBody } from './read-json-body.js';

const test = suite('body');

const refused = (body: string | Buffer): string => {
  try {
    parseBody(Buffer.from(body));
  } catch (error) {
    return `${(error as Problem).code}: ${(error as Problem).detail ?? ''}`;
  }
  return 'accepted';
};

const nested = (depth: number, open = '[', close = ']'): string => open.repeat(depth) + close.repeat(depth);

test('JSON is parsed as sent', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (json) => {
      fc.pre(!/__proto__|constructor/.test(json));
      assert.equal(parseBody(Buffer.from(json)), JSON.parse(json));
    }),
  );
});

test('depth 64 is accepted, depth 65 is refused', () => {
  assert.is(refused(nested(64)), 'accepted');
  assert.is(refused(nested(65)), 'malformed-json: The body is nested deeper than 64.');
  assert.is(
    refused(nested(65, '{"a":', '}').replace('}', '1}')),
    'malformed-json: The body is nested deeper than 64.',
  );
});

test('a wide body is not a deep body', () => {
  assert.is(refused(JSON.stringify(Array.from({ length: 1000 }, () => [{ a: [] }]))), 'accepted');
});

test('brackets in text do not count', () => {
  assert.is(refused(JSON.stringify({ a: '[{'.repeat(200), b: '\\"[[' + '['.repeat(100) })), 'accepted');
});

test('a hundred thousand brackets are refused without a stack overflow', () => {
  assert.match(refused('['.repeat(100_000)), /nested deeper/);
});

for (const body of [
  '{"__proto__":{"admin":true}}',
  '{"a":[{"__proto__":1}]}',
  '{"constructor":{"prototype":{"x":1}}}',
  String.raw`{"\u005f_proto__":1}`,
]) {
  test(`${body} reaches for a prototype and is refused`, () => {
    assert.is(refused(body), 'malformed-json: The body has a forbidden key.');
  });
}

test('an empty, a truncated and a non-UTF-8 body are malformed', () => {
  assert.is(refused(''), 'malformed-json: The body is empty.');
  assert.is(refused('{"a":'), 'malformed-json: The body cannot be parsed.');
  assert.is(refused(Buffer.from([0x22, 0xff, 0xfe, 0x22])), 'malformed-json: The body is not UTF-8.');
});
