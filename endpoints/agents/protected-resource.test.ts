import fastify from 'fastify';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { TrustedProxies } from '../access/trusted-proxies.js';
import { ask, withAgents } from './testing/agents-at-the-bakery.js';
import { knownCallers } from '../testing/known-callers.js';
import { protectedResourceRoutes } from './protected-resource.js';

const test = suite('where an agent gets a token');

const path = '/.well-known/oauth-protected-resource';
const issuer = 'https://login.example';

async function answerTo(
  url: string,
  headers: Readonly<Record<string, string>>,
  from: string | undefined = issuer,
) {
  const app = fastify();
  protectedResourceRoutes(app, { issuer: from, proxies: new TrustedProxies(['127.0.0.1']) });
  const { statusCode, body } = await app.inject({ method: 'GET', url, headers });
  await app.close();
  return { status: statusCode, body: JSON.parse(body) as unknown };
}

test('the metadata names the issuer, and the resource as its caller reached it', async () => {
  const headers = { host: 'orders.example', 'x-forwarded-proto': 'https' };
  for (const url of [path, `${path}/mcp`])
    assert.equal(await answerTo(url, headers), {
      status: 200,
      body: {
        resource: 'https://orders.example/mcp',
        authorization_servers: [issuer],
        bearer_methods_supported: ['header'],
      },
    });
});

test('a Host header that is no name is not repeated', async () => {
  assert.is((await answerTo(path, { host: 'a"><script>' })).status, 400);
});

test('without an issuer that has an address there is no metadata', async () => {
  assert.is((await answerTo(path, { host: 'a' }, 'orders-login')).status, 404);
});

test('a call without credentials learns where the metadata is', async () => {
  const challenge = async (from: string | undefined): Promise<string> => {
    let found = '';
    const body = async ({ url }: { readonly url: string }): Promise<void> => {
      const { status, headers } = await ask(url, 'tools/list');
      assert.is(status, 401);
      found = String(headers['www-authenticate']).replace(url, '');
    };
    await withAgents(body, { http: { authentication: knownCallers() } }, {}, from);
    return found;
  };
  assert.is(await challenge(issuer), `Bearer resource_metadata="${path}/mcp"`);
  assert.is(await challenge(undefined), 'Bearer');
});
