import { hash } from 'node:crypto';
import { Script } from 'node:vm';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withBakery } from '../testing/bakery.js';
import { send } from '../testing/http-client.js';
import { graphqlPage } from './page.js';

const test = suite('GraphQL page');

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const get = (url: string, headers: Readonly<Record<string, string>>) =>
  send(url, { method: 'GET', path: '/graphql', headers });

test('a browser gets the page in development', () =>
  withBakery({ http: { development: true } }, async ({ url }) => {
    const answer = await get(url, browser);
    assert.is(answer.status, 200);
    assert.is(answer.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(answer.text, '<h1>GraphQL</h1>');
  }));

test('in production there is no page', () =>
  withBakery({ http: { development: false } }, async ({ url }) => {
    const answer = await get(url, browser);
    assert.is(answer.status, 400);
    assert.is(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
  }));

test('it runs its own script and style, connects to its own server, and does nothing else', () => {
  const { headers, text } = graphqlPage();
  const policy = headers['content-security-policy'];
  for (const tag of ['script type="module"', 'style']) {
    const [kind = ''] = tag.split(' ');
    const inline = text.split(`<${tag}>`)[1]?.split(`</${kind}>`)[0] ?? '';
    assert.ok(policy.includes(`${kind}-src 'sha256-${hash('sha256', inline, 'base64')}'`));
  }
  assert.match(policy, /^default-src 'none'; .*connect-src 'self'/);
});

test('it has an empty icon, so that no browser asks for one', () => {
  const { headers, text } = graphqlPage();
  assert.ok(text.includes('<link rel="icon" href="data:," />'));
  assert.match(headers['content-security-policy'], 'img-src data:');
});

test('it loads nothing from elsewhere', () => {
  assert.not.match(graphqlPage().text, /https?:|src=|@import|url\(/);
});

test('its script can be parsed', () => {
  const script = /<script type="module">(.+)<\/script>/s.exec(graphqlPage().text)?.[1] ?? '';
  assert.match(script, '__schema');
  assert.not.throws(() => new Script(script));
});
