import * as assert from 'uvu/assert';
import { AccessDenialReason } from '../../contracts/events/access.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { AccessGuard } from '../../runtime/access/access-guard.js';
import { BakeBread, order } from '../testing/bakery.js';
import { jsonOf, post, refusalIn } from '../testing/http-client.js';
import { bearing, knownCallers } from '../testing/known-callers.js';
import { type Routes, withOwnRoutes } from './testing/with-own-routes.js';

const test = suite('commands of own routes');

test('a handler dispatches a command on behalf of its caller, with hooks and the same correlation id', () => {
  const seen: string[] = [];
  const routes: Routes = (app) =>
    app.post('/bake', { config: { permission: 'authenticated' } }, async (request) => {
      const { baked } = await request.dispatch<{ baked: number }>(BakeBread.of(order));
      return { baked, id: request.correlationId };
    });
  return withOwnRoutes(
    routes,
    async ({ url }) => {
      const answer = jsonOf(await post(url, {}, { path: '/bake', headers: bearing('operator') }));
      const { baked, id } = answer as { readonly baked: number; readonly id: string };
      assert.is(baked, 2);
      assert.equal(seen, [`ada ${id}`]);
      const refused = await post(url, {}, { path: '/bake', headers: bearing('guest') });
      assert.is(refusalIn(refused), '403 access-denied');
      assert.is(seen.length, 1);
    },
    {
      http: { authentication: knownCallers() },
      before: (_, { identity, correlationId }) => {
        seen.push(`${identity?.scope.userId ?? ''} ${correlationId}`);
      },
    },
  );
});

test('the security event about a command that a caller may not send has the correlation id of their request', () => {
  const denied: string[] = [];
  const guard = new AccessGuard({
    established: () => undefined,
    granted: () => undefined,
    denied: (_, { value }, { type }, reason, origin) =>
      void denied.push(`${value} ${type} ${reason} ${origin?.correlationId ?? 'unknown'}`),
  });
  return withOwnRoutes(
    (app) => app.post('/bake', (request) => request.dispatch(BakeBread.of(order))),
    async ({ url }) => {
      const headers = { ...bearing('guest'), 'x-correlation-id': 'story-9' };
      assert.is(refusalIn(await post(url, {}, { path: '/bake', headers })), '403 access-denied');
      assert.equal(denied, [`bread:bake BakeBread ${AccessDenialReason.InsufficientPermission} story-9`]);
    },
    { http: { authentication: { ...knownCallers(), guard } } },
  );
});

test('with an idempotency key a command runs once, and a refusal is repeated as well', () => {
  let runs = 0;
  const routes: Routes = (app) =>
    app.post('/bake', async (request) => {
      const { loaves } = request.body as { readonly loaves: number };
      const command = BakeBread.of({ ...order, loaves });
      return request.dispatch(command, { idempotencyKey: request.headers['idempotency-key'] });
    });
  return withOwnRoutes(
    routes,
    async ({ url }) => {
      const bake = (key: string, loaves: number) =>
        post(url, { loaves }, { path: '/bake', headers: { 'idempotency-key': key } });
      const monday = await bake('monday', 2);
      assert.is(monday.status, 200);
      assert.is((await bake('monday', 2)).text, monday.text);
      assert.is(runs, 1);
      assert.is(refusalIn(await bake('monday', 3)), '422 idempotency-key-reused');
      const refused = await bake('tuesday', 13);
      assert.is(refusalIn(refused), '422 unlucky');
      const { correlationId, ...first } = jsonOf(refused) as Record<string, unknown>;
      const { correlationId: other, ...again } = jsonOf(await bake('tuesday', 13)) as typeof first;
      assert.equal([again, again['oven']], [first, 'north']);
      assert.is.not(other, correlationId);
      assert.is(runs, 2);
    },
    {
      bake: ({ loaves }) => {
        runs++;
        if (loaves === 13)
          throw new Problem('unlucky', { status: 422, detail: 'Thirteen.', extensions: { oven: 'north' } });
        return { baked: loaves, run: runs };
      },
    },
  );
});
