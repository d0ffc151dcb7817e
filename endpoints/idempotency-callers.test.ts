import * as assert from 'uvu/assert';
import { type Identity, identityFrom } from '../contracts/identity.js';
import { suite } from '../contracts/testing/suite.js';
import type { Authentication } from './access/authentication.js';
import { type Routes, withOwnRoutes } from './own-routes/testing/with-own-routes.js';
import { BakeBread, type Kitchen, order, withBakery } from './testing/bakery.js';
import { type Answered, keyed, post, refusalIn } from './testing/http-client.js';
import { knownCallers } from './testing/known-callers.js';

const test = suite('callers of idempotent requests');

const scopes: Readonly<Record<string, Partial<Identity['scope']>>> = {
  ada: { tenantId: 'north', userId: 'ada' },
  bob: { tenantId: 'north', userId: 'bob' },
  'ada for c1': { tenantId: 'north', userId: 'ada', customerId: 'c1' },
  'ada of o1': { tenantId: 'north', userId: 'ada', organizationId: 'c1' },
  till: { tenantId: 'north', extensions: { apiKey: 'svc_00000001' } },
  shop: { tenantId: 'north', extensions: { apiKey: 'svc_00000002' } },
  'named like a till': { tenantId: 'north', userId: 'svc_00000001' },
  south: { tenantId: 'south', userId: 'ada' },
};
const customers: typeof scopes = {
  c1: { tenantId: 'north', customerId: 'c1' },
  c2: { tenantId: 'north', customerId: 'c2' },
};

const authentication: Authentication = {
  guard: knownCallers().guard,
  identify: ({ headers: { authorization } }) =>
    authorization === undefined
      ? null
      : identityFrom({ source: 'test', scope: { ...scopes, ...customers }[authorization] }),
};

const send = (url: string, path: string, caller: string | undefined, body: unknown) =>
  post(url, body, {
    path,
    headers: { ...keyed('k1').headers, ...(caller === undefined ? {} : { authorization: caller }) },
  });
const isReplayed = ({ headers }: Answered): boolean => headers['idempotency-replayed'] === 'true';

test('the same key of another caller is a different key', () =>
  withBakery({ http: { authentication } }, async ({ url }) => {
    for (const expected of [false, true])
      for (const caller of Object.keys(scopes)) {
        const answer = await send(url, '/cake', caller, order);
        assert.equal([answer.status, isReplayed(answer)], [200, expected], caller);
      }
  }));

test('with authentication, a key from a caller without user and API key is refused', () => {
  const commands: object[] = [];
  const bake: Kitchen['bake'] = (command) => (commands.push(command), {});
  const routes: Routes = (app) =>
    app.post('/own', (request) => request.dispatch(BakeBread.of(order), { idempotencyKey: 'k1' }));
  const permissions = { BakeBread: 'authenticated' } as const;
  return withOwnRoutes(
    routes,
    async ({ url }) => {
      for (const path of ['/bread', '/own'])
        assert.is(refusalIn(await send(url, path, 'c1', order)), '422 idempotency-needs-identity');
      const mutation = await send(url, '/graphql', 'c1', { query: 'mutation { openBakery }' });
      assert.match(mutation.text, /"code":"idempotency-needs-identity","status":422/);
      assert.equal(commands, []);
      assert.is((await post(url, order, { path: '/bread', headers: { authorization: 'c1' } })).status, 200);
    },
    { http: { authentication }, bake, permissions },
  );
});

test('the key of a public command belongs to the command and its body', () =>
  withBakery({ http: { authentication } }, async ({ url }) => {
    const asked: readonly [caller: string | undefined, who: string, isReplayed: boolean][] = [
      [undefined, 'Ada', false],
      [undefined, 'Grace', false],
      [undefined, 'Ada', true],
      ['c1', 'Ada', false],
      ['c2', 'Ada', false],
      ['c1', 'Ada', true],
    ];
    for (const [caller, who, expected] of asked) {
      const answer = await send(url, '/bun', caller, { who });
      assert.equal([answer.status, isReplayed(answer)], [200, expected], `${caller ?? 'nobody'} ${who}`);
    }
  }));
