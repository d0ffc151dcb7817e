import type { FastifyInstance } from 'fastify';
import * as assert from 'uvu/assert';
import type { Authenticate } from '../../contracts/identity.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Registry, ServiceDefinition } from '../../endpoints/service-definition.js';
import type { SecurityEvents } from '../../runtime/access/access-guard.js';
import { readConfig } from '../config/config.js';
import { authenticationOf, withAuthenticator } from './access.js';
import { mustBeReady } from './refuse-undeclared-permissions.js';

const test = suite('access of a host');

const noSecurityEvents: SecurityEvents = {
  established: () => undefined,
  granted: () => undefined,
  denied: () => undefined,
};

const definition: ServiceDefinition = { name: 'shop', create: () => empty };
const empty: Registry = { endpoints: [], receptors: [] };

test('without authentication only a loopback address can be bound', () => {
  for (const bind of ['127.0.0.1', '127.8.8.8', '::1', 'localhost'])
    assert.ok(withAuthenticator(readConfig({ SVC_BIND: bind }), definition).localOnly);
  for (const bind of ['0.0.0.0', '::', '10.0.0.7', 'example.org'])
    assert.throws(
      () => withAuthenticator(readConfig({ SVC_BIND: bind }), definition),
      /SVC_BIND must be a loopback address/,
    );
});

test('with SVC_AUTH or an authenticator of the service any address can be bound', () => {
  const authenticate = () => null;
  for (const [env, given] of [
    [{ SVC_AUTH: 'none' }, definition],
    [{ SVC_AUTH: 'api-key' }, definition],
    [{}, { ...definition, authenticate }],
  ] as const) {
    const { bind, localOnly } = withAuthenticator(readConfig({ SVC_BIND: '0.0.0.0', ...env }), given);
    assert.equal([bind, localOnly], ['0.0.0.0', false]);
  }
});

test('undeclared permissions are refused at the start, with their list', () => {
  const registry = {
    ...empty,
    endpoints: [
      { command: { name: 'Sell' }, restRoute: '/sell', graphQLMutation: null },
      { command: { name: 'Buy' }, restRoute: null, graphQLMutation: 'buy' },
      { command: { name: 'Tidy' }, restRoute: null, graphQLMutation: null },
      { command: { name: 'Look' }, restRoute: '/look', graphQLMutation: null, permission: 'public' },
    ],
    perspectives: [{ name: 'sales', route: '/sales' }, { name: 'hidden' }],
  } as unknown as Registry;
  assert.is(authenticationOf([], registry, noSecurityEvents), undefined);
  assert.throws(
    () => authenticationOf([() => null], registry, noSecurityEvents),
    /These declare no permission: Sell, Buy, sales; give each one/,
  );
});

const identify = (authenticators: readonly Authenticate[]) => {
  const authentication = authenticationOf(authenticators, empty, noSecurityEvents);
  const request = { method: 'POST', url: '/', headers: {}, socket: { remoteAddress: '::1' } };
  return authentication?.identify(request);
};

test('the first authenticator that recognizes a caller decides', async () => {
  const known = (source: string) => () => ({ source });
  assert.is((await identify([() => null, known('a'), known('b')]))?.source, 'a');
  assert.is((await identify([async () => null, known('b')]))?.source, 'b');
  assert.is(await identify([() => null, async () => null]), null);
  assert.ok(!(identify([known('a')]) instanceof Promise), 'a known caller needs no promise');
});

test('a frozen answer of an authenticator is checked once', async () => {
  const answers = [Object.freeze({ source: 'a' }), { source: 'b' }];
  for (const answer of answers) {
    const authentication = authenticationOf([() => answer], empty, noSecurityEvents);
    const request = { method: 'GET', url: '/', headers: {}, socket: {} };
    const [first, second] = [authentication?.identify(request), authentication?.identify(request)];
    assert.is(first === second, Object.isFrozen(answer));
  }
});

test('own routes without a permission are refused together with commands and perspectives', async () => {
  const registry = {
    ...empty,
    endpoints: [{ command: { name: 'Sell' }, restRoute: '/sell', graphQLMutation: null }],
    perspectives: [{ name: 'sales', route: '/sales' }],
  } as unknown as Registry;
  const routes = (app: FastifyInstance): void => {
    app.get('/open', { config: { permission: 'public' } }, () => 'open');
    app.get('/reports/:id', { exposeHeadRoute: true }, () => 'closed');
    app.options('*', () => 'a preflight');
    void app.register(
      async (scope) => {
        scope.delete('/all', () => 'gone');
      },
      { prefix: '/admin' },
    );
  };
  const service: ServiceDefinition = { ...definition, routes, authenticate: () => null };
  await mustBeReady({ ...service, authenticate: undefined } as never, readConfig({}), registry);
  try {
    await mustBeReady(service, readConfig({}), registry);
    assert.unreachable();
  } catch (error) {
    assert.match(
      (error as Error).message,
      /^These declare no permission: Sell, sales, GET \/reports\/:id, DELETE \/admin\/all; give each one/,
    );
  }
});
