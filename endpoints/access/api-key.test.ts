import * as assert from 'uvu/assert';
import type { RequestHeaders } from '../../contracts/identity.js';
import { suite } from '../../contracts/testing/suite.js';
import { digestOf, newApiKey } from '../../runtime/access/api-key.js';
import { KnownApiKeys } from '../../runtime/access/known-api-keys.js';
import { apiKeyAuthenticator } from './api-key.js';

const test = suite('authentication by API key');

const { id, key } = newApiKey();
const keys = new KnownApiKeys(async () => [
  { id, digest: digestOf(key).toString('hex'), name: 'till', permissions: [] },
]);
await keys.refresh();
const authenticate = apiKeyAuthenticator(keys);
const by = (headers: RequestHeaders) =>
  authenticate({ method: 'POST', url: '/', headers, remoteAddress: '::1' });
const source = (headers: RequestHeaders) => (by(headers) as { source: string } | null)?.source ?? null;

test('a key is sent as Bearer or as X-Api-Key, and needs no promise', () => {
  for (const headers of [
    { authorization: `Bearer ${key}` },
    { authorization: `bearer ${key}` },
    { 'x-api-key': key },
    { 'x-api-key': key, authorization: `Bearer ${key}` },
    { 'x-api-key': key, authorization: 'Basic YTpi' },
  ])
    assert.is(source(headers), `api-key:svc_${id}`);
});

test('a request without a key is left to others', () => {
  for (const headers of [{}, { authorization: 'Bearer eyJ.a.b' }, { authorization: key }])
    assert.is(source(headers), null);
});

test('an unknown key is refused, without a reason', () => {
  const other = newApiKey().key;
  const same = `svc_${id}${other.slice(12)}`;
  for (const headers of [
    ...[other, same, 'svc_', `svc_${id}`, `${key} ${key}`, `${key}, ${key}`, `${key}.`].flatMap((wrong) => [
      { authorization: `Bearer ${wrong}` },
      { 'x-api-key': wrong },
    ]),
    { 'x-api-key': '' },
    { 'x-api-key': [key, key] },
    { 'x-api-key': key, authorization: `Bearer ${other}` },
    { 'x-api-key': other, authorization: `Bearer ${key}` },
  ])
    assert.throws(
      () => by(headers),
      ({ code, message }: { code: string; message: string }) =>
        code === 'unauthenticated' && message === 'Send valid credentials.',
    );
});
