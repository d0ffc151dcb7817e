import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { log } from '../../runtime/logging/log.js';
import { withBakery } from '../testing/bakery.js';
import { send } from '../testing/http-client.js';
import { withoutToken } from './redact-url-credentials.js';

const test = suite('tokens in URLs');

test('a token is removed from a URL wherever it is, and nothing else is', () => {
  assert.is(withoutToken('/console/api/host?t=sesame'), '/console/api/host?t=[redacted]');
  assert.is(withoutToken('/a?host=x&t=sesame&after=3'), '/a?host=x&t=[redacted]&after=3');
  assert.is(withoutToken('/a?t=sesame&t=again'), '/a?t=[redacted]&t=[redacted]');
  assert.is(withoutToken('/a?%74=sesame'), '/a?%74=[redacted]');
  assert.is(withoutToken('/t=1?at=2&sort=t'), '/t=1?at=2&sort=t');
  for (const name of ['token', 'access_token', 'api_key', 'X-Api-Key', 'ACCESS%5Ftoken', 'authorization'])
    assert.is(withoutToken(`/a?${name}=sesame&b=1`), `/a?${name}=[redacted]&b=1`);
  assert.is(withoutToken('/a?%=1&filter[keys]=2&%zz=3'), '/a?%=1&filter[keys]=2&%zz=3');
});

test('a failure is logged and answered without the token of its URL', async () => {
  const logged: unknown[] = [];
  const before = log.error;
  log.error = (facts: unknown) => void logged.push(facts);
  try {
    const broken = () => {
      throw new Problem('store-unavailable');
    };
    await withBakery({ http: { routes: [(app) => app.get('/broken', broken)] } }, async ({ url }) => {
      const { status, text } = await send(url, { method: 'GET', path: '/broken?t=open-sesame' });
      assert.is(status, 503);
      assert.not.match(text, 'sesame');
    });
  } finally {
    log.error = before;
  }
  assert.is(logged.length, 1);
  assert.not.match(JSON.stringify(logged), 'sesame');
});
