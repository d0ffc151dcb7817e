import fastify from 'fastify';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { builtFile, contentPolicy, serveFile } from './static-file.js';

const test = suite('static files');

const file = { path: '/menu', type: 'text/plain; charset=utf-8', content: 'bread' };
const policy = contentPolicy("default-src 'none'");

function get(headers: Readonly<Record<string, string>> = {}, mayRead?: () => void) {
  const app = fastify();
  serveFile(app, file, policy, mayRead === undefined ? {} : { mayRead });
  return app.inject({ url: '/menu', headers });
}

test('a file is served with its policy, and no other page may frame it', async () => {
  const { body, headers } = await get();
  assert.is(body, 'bread');
  assert.is(
    headers['content-security-policy'],
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  assert.equal([headers['referrer-policy'], headers['x-content-type-options']], ['no-referrer', 'nosniff']);
});

test('a cached file is revalidated each time, and not sent again', async () => {
  const { headers } = await get();
  assert.is(headers['cache-control'], 'no-cache');
  const again = await get({ 'if-none-match': String(headers['etag']) });
  assert.equal([again.statusCode, again.body], [304, '']);
});

test('a client that may not read a file does not learn whether it has changed', async () => {
  const { headers } = await get();
  const refused = await get({ 'if-none-match': String(headers['etag']) }, () => {
    throw new Problem('access-denied', { detail: 'Not yours.' });
  });
  assert.ok(refused.statusCode >= 400);
  assert.is(refused.headers['etag'], undefined);
});

test('a page that is not built is named, with the command that builds it', () => {
  assert.throws(
    () => builtFile(new URL('./page/nothing.js', import.meta.url)),
    (error: unknown) => error instanceof Problem && /page\/nothing\.js .*npm run build/.test(error.message),
  );
});
