import * as assert from 'uvu/assert';
import { Permission } from '../../contracts/permission.js';
import { suite } from '../../contracts/testing/suite.js';
import { RateLimit } from '../access/rate-limit.js';
import { TrustedProxies } from '../access/trusted-proxies.js';
import { withBakery } from '../testing/bakery.js';
import { ask, codesIn } from '../testing/graphql-client.js';
import { post, refusalIn } from '../testing/http-client.js';
import { bearing, knownCallers } from '../testing/known-callers.js';

const test = suite('status of refused GraphQL requests');

const accept = 'application/graphql-response+json';
const permissions = { SendParcel: Permission.of('parcels', 'send'), OpenBakery: 'public' } as const;
const sending = 'sendParcel(command: { to: "01890a5d-ac96-774b-bcce-b302099a8057", weight: 1.5 }) { price }';
const document = (...fields: readonly string[]) => `mutation { ${fields.join(' ')} }`;

test('with the GraphQL media type, a request of which every field was refused is 401 or 403', () =>
  withBakery({ http: { authentication: knownCallers() }, permissions }, async ({ url }) => {
    const nobody = await ask(url, document(sending), undefined, { accept });
    assert.equal([nobody.status, ...codesIn(nobody)], [401, '401 unauthenticated']);
    assert.is(nobody.headers['www-authenticate'], 'Bearer');
    const twice = document(sending, `again: ${sending}`);
    const guest = await ask(url, twice, undefined, { accept, ...bearing('guest') });
    assert.equal([guest.status, ...codesIn(guest)], [403, '403 access-denied', '403 access-denied']);
  }));

test('a request of which one field succeeded is 200, with the refusal of the other', () =>
  withBakery({ http: { authentication: knownCallers() }, permissions }, async ({ url }) => {
    const answer = await ask(url, document(sending, 'openBakery'), undefined, { accept });
    assert.equal([answer.status, ...codesIn(answer)], [200, '401 unauthenticated']);
    assert.equal(answer.data, { sendParcel: null, openBakery: true });
  }));

test('with application/json the errors alone carry the status', () =>
  withBakery({ http: { authentication: knownCallers() }, permissions }, async ({ url }) => {
    const guest = await ask(url, document(sending), undefined, bearing('guest'));
    assert.equal([guest.status, ...codesIn(guest)], [200, '403 access-denied']);
  }));

test('who is refused before the document is read gets a problem, whatever they accept', () =>
  withBakery({ http: { authentication: knownCallers() } }, async ({ url }) => {
    for (const headers of [{ accept }, { accept: 'application/json' }])
      assert.is(
        refusalIn(await post(url, { query: 'broken' }, { path: '/graphql', headers })),
        '401 unauthenticated',
      );
  }));

test('who sends too much is refused with 429', () => {
  const rateLimit = new RateLimit({ caller: { limit: 1, windowSeconds: 60 } }, new TrustedProxies());
  const authentication = { ...knownCallers(), rateLimit };
  return withBakery({ http: { authentication } }, async ({ url }) => {
    const headers = { accept, ...bearing('guest') };
    assert.is((await ask(url, document('openBakery'), undefined, headers)).status, 200);
    const refused = await post(url, { query: document('openBakery') }, { path: '/graphql', headers });
    assert.is(refusalIn(refused), '429 rate-limited');
    assert.ok(Number(refused.headers['retry-after']) > 0);
  });
});
