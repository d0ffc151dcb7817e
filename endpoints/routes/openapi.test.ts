import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fastify from 'fastify';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { asyncApiRoute, docsRoutes } from './openapi.js';

const test = suite('openapi routes');

const document = '{"openapi":"3.1.0"}\n';

function get(url: string, headers: Record<string, string> = {}) {
  const app = fastify();
  docsRoutes(app, document);
  asyncApiRoute(app, '{"asyncapi":"3.0.0"}\n');
  return app.inject({ url, headers });
}

test('/openapi.json is the given document', async () => {
  const { statusCode, body, headers } = await get('/openapi.json');
  assert.is(statusCode, 200);
  assert.is(body, document);
  assert.is(headers['content-type'], 'application/json; charset=utf-8');
});

test('/asyncapi.json is the given document', async () => {
  const { statusCode, body, headers } = await get('/asyncapi.json');
  assert.equal([statusCode, body], [200, '{"asyncapi":"3.0.0"}\n']);
  assert.is(headers['content-type'], 'application/json; charset=utf-8');
});

test('a cached document is not sent again', async () => {
  const etag = String((await get('/openapi.json')).headers['etag']);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const { statusCode, body } = await get('/openapi.json', { 'if-none-match': known });
    assert.equal([statusCode, body], [304, '']);
  }
  assert.is((await get('/openapi.json', { 'if-none-match': '"other"' })).statusCode, 200);
});

for (const [url, type] of [
  ['/docs', 'text/html'],
  ['/docs/script.js', 'text/javascript'],
  ['/docs/style.css', 'text/css'],
] as const) {
  test(`${url} is ${type}, with a policy that allows nothing from elsewhere`, async () => {
    const { statusCode, headers, body } = await get(url);
    assert.is(statusCode, 200);
    assert.is(headers['content-type'], `${type}; charset=utf-8`);
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self';/);
    assert.not.match(String(headers['content-security-policy']), 'unsafe');
    assert.is(headers['x-content-type-options'], 'nosniff');
    assert.not.match(body, /https?:\/\//);
  });
}

test('/docs links to the other pages that the host has', async () => {
  const linksWith = async (development: boolean): Promise<readonly string[]> => {
    const app = fastify();
    app.get('/console', () => '');
    docsRoutes(app, document, { development });
    const { body } = await app.inject('/docs');
    return [...body.matchAll(/<a href="(\.\/[^"]*)"/g)].map(([, link = '']) => link);
  };
  assert.equal(await linksWith(true), ['./', './console']);
  assert.equal(await linksWith(false), ['./console']);
});

test('the page has no inline script, style or handler', async () => {
  const { body: page } = await get('/docs');
  assert.match(page, '<title>API</title>');
  assert.not.match(page, /<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/);
});

test('the script is a module that creates text, never markup', async () => {
  const { body: script } = await get('/docs/script.js');
  assert.match(script, 'openapi.json');
  assert.not.match(script, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function/);
  const checked = promisify(execFile)(process.execPath, ['--check', '--input-type=module', '-']);
  checked.child.stdin?.end(script);
  await checked;
});
