import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { BoundedAnswer, BoundedRequest } from './bounded-fetch.js';
import { problemIn, runCreate, runRead, smokeTestIn } from './smoke-test.js';

const test = suite('smoke test');

const declared = {
  create: { path: '/loaves', body: { name: 'rye {smokeTestId}' } },
  read: { path: '/loaves/{loafId}' },
};
const documentOf = (smokeTest: unknown) => JSON.stringify({ openapi: '3.1.0', 'x-smoke-test': smokeTest });

test('a host declares its smoke test in its OpenAPI document, or none', () => {
  assert.equal(smokeTestIn(documentOf(declared)), declared);
  assert.is(smokeTestIn('{}'), undefined);
});

for (const wrong of [
  null,
  'text',
  {},
  { ...declared, create: { path: '//elsewhere.example/loaves', body: {} } },
  { ...declared, create: { path: 'http://elsewhere.example', body: {} } },
  { ...declared, read: { path: String.raw`/\elsewhere.example` } },
  { ...declared, create: { path: '/loaves', body: 'text' } },
]) {
  test(`the smoke test ${JSON.stringify(wrong)} is refused`, () => {
    assert.throws(() => smokeTestIn(documentOf(wrong)), /cannot be read/);
  });
}

test('the create is recognizable, has an idempotency key and unique texts, and is sent again as the same', async () => {
  const sent: BoundedRequest[] = [];
  const answers: BoundedAnswer[] = [
    { status: 503, text: '' },
    { status: 200, text: '{"loafId":"a/b"}' },
  ];
  const send = (_: string, request: BoundedRequest = {}) => {
    sent.push(request);
    return Promise.resolve(answers[sent.length - 1] ?? { status: 500, text: '' });
  };
  const created = await runCreate(declared, send, '7');
  assert.equal(created, { loafId: 'a/b' });
  const [first, second] = sent;
  assert.equal(first, second);
  assert.equal(
    [first?.headers?.['idempotency-key'], first?.headers?.['x-correlation-id'], first?.body],
    ['smoke-test-7', 'smoke-test-7', '{"name":"rye 7"}'],
  );
});

test('the read asks for what was created, as part of the path and nothing else', async () => {
  const paths: string[] = [];
  const send = (path: string) => {
    paths.push(path);
    return Promise.resolve({ status: paths.length === 1 ? 404 : 200, text: '{}' });
  };
  await runRead(declared, { loafId: '../a?b' }, send);
  assert.equal(paths, ['/loaves/..%2Fa%3Fb', '/loaves/..%2Fa%3Fb']);
});

test('an answer without the field that the read needs is an error', async () => {
  const send = () => Promise.resolve({ status: 200, text: '{}' });
  for (const created of [{}, { loafId: null }, { loafId: {} }]) {
    const failure = await runRead(declared, created, send).catch((error: unknown) => String(error));
    assert.match(failure, /no field 'loafId'/);
  }
});

test('a host that asks who is there is answered with how to give a key', async () => {
  const text = '{"title":"Authentication is required"}';
  const send = () => Promise.resolve({ status: 401, text });
  const failure = await runCreate(declared, send, '7').then(() => 'nothing failed', String);
  assert.match(
    failure,
    'POST /loaves answered 401 (Authentication is required); set SVC_CHECK_KEY, or give --key, to an API key or a token',
  );
  assert.not.match(problemIn({ status: 403, text: '' }), /SVC_CHECK_KEY/);
});
