import { Webhook } from 'standardwebhooks';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { type Bakery, BakeBread, type Kitchen, order, withBakery } from '../testing/bakery.js';
import { type Answered, problemIn, refusalIn, send } from '../testing/http-client.js';
import { knownCallers } from '../testing/known-callers.js';
import { verifyWebhook, type WebhookOptions } from './verify-webhook.js';

const test = suite('webhooks');

const secretOf = (text: string): string => `whsec_${Buffer.from(text.padEnd(32)).toString('base64')}`;
const present = secretOf('present');
const former = secretOf('former');

interface Attempt {
  readonly id?: string;
  readonly secret?: string;
  readonly at?: Date;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

const path = '/webhooks/orders';
const sent = JSON.stringify({ type: 'bread.ordered', data: order });

/** Delivers as the sender does. */
function deliver(
  url: string,
  { id = 'msg_1', secret = present, at = new Date(), body = sent, headers }: Attempt,
) {
  return send(url, {
    path,
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
      ...headers,
    },
  });
}

interface Shop extends Bakery {
  /** What was baked, by tenant. */
  readonly baked: string[];
  deliver(attempt?: Attempt): Promise<Answered>;
}

function withShop(
  options: Partial<WebhookOptions>,
  body: (shop: Shop) => Promise<void>,
  kitchen: Kitchen = {},
): Promise<void> {
  const baked: string[] = [];
  const handler = verifyWebhook({
    secrets: [present],
    toCommand: ({ payload }) => {
      const { type, data } = payload as { readonly type: string; readonly data: typeof order };
      return type === 'bread.ordered' ? BakeBread.of(data) : undefined;
    },
    ...options,
  });
  return withBakery(
    {
      bake: ({ customer }, { context }) => {
        baked.push(`${customer} of ${context.scope.tenantId ?? 'nobody'}`);
        return { baked: baked.length };
      },
      ...kitchen,
      http: {
        ownRoutes: (app) => app.post(path, { config: { permission: 'public' } }, handler),
        ...kitchen.http,
      },
    },
    (bakery) => body({ ...bakery, baked, deliver: (attempt = {}) => deliver(bakery.url, attempt) }),
  );
}

test('a signed delivery becomes one command, however often it is delivered', () =>
  withShop({}, async ({ baked, deliver: attempt }) => {
    for (const at of [0, 30_000, -30_000])
      assert.equal([(await attempt({ at: new Date(Date.now() + at) })).status, baked.length], [204, 1]);
    assert.is((await attempt({ id: 'msg_2' })).status, 204);
    assert.is(baked.length, 2);
  }));

test('on a host that authenticates, the service itself sends the command, for the tenant of the delivery', () =>
  withShop(
    { scopeOf: ({ id }) => ({ tenantId: `tenant of ${id}` }) },
    async ({ baked, deliver: attempt }) => {
      assert.is((await attempt()).status, 204);
      assert.equal(baked, ['Ada of tenant of msg_1']);
    },
    { http: { authentication: knownCallers() } },
  ));

test('a delivery for a tenant that no store could hold is refused', () => {
  const tenants = ['', '*', 'nor\0th', 'north\ud800'];
  return withShop(
    { scopeOf: () => ({ tenantId: tenants[0] ?? '' }) },
    async ({ baked, deliver: attempt }) => {
      for (; tenants.length > 0; tenants.shift())
        assert.is(refusalIn(await attempt()), '401 unauthenticated', JSON.stringify(tenants[0]));
      assert.equal(baked, []);
    },
  );
});

test('a wrong signature, a changed body and another id are refused with 401', () =>
  withShop({}, async ({ url, baked, deliver: attempt }) => {
    assert.is(refusalIn(await attempt({ secret: secretOf('other') })), '401 unauthenticated');
    assert.is(refusalIn(await attempt({ headers: { 'webhook-id': 'msg_9' } })), '401 unauthenticated');
    assert.is(refusalIn(await attempt({ headers: { 'webhook-signature': 'v1,' } })), '401 unauthenticated');
    assert.is(
      refusalIn(await attempt({ headers: { 'webhook-signature': 'v2,x v1' } })),
      '401 unauthenticated',
    );
    const changed = await send(url, { path, headers: signed(), body: sent.replace('Ada', 'Eve') });
    assert.is(refusalIn(changed), '401 unauthenticated');
    assert.equal(baked, []);
  }));

test('a delivery that was signed more than five minutes ago, or for later, is refused with 401', () =>
  withShop({}, async ({ baked, deliver: attempt }) => {
    for (const minutes of [-6, 6]) {
      const answer = await attempt({ at: new Date(Date.now() + minutes * 60_000) });
      assert.is(refusalIn(answer), '401 unauthenticated');
      assert.match(problemIn(answer).detail ?? '', 'five minutes');
    }
    assert.equal(baked, []);
  }));

test('while secrets are rotated, each of them is accepted', () =>
  withShop({ secrets: [present, undefined, former] }, async ({ deliver: attempt }) => {
    assert.is((await attempt({ secret: former })).status, 204);
    assert.is((await attempt({ id: 'msg_2', secret: present })).status, 204);
    assert.is(refusalIn(await attempt({ id: 'msg_3', secret: secretOf('other') })), '401 unauthenticated');
  }));

test('a missing or invalid header is refused with 400, and a body over the limit with 413', () =>
  withShop(
    {},
    async ({ url, baked, deliver: attempt }) => {
      const unsigned = await send(url, { path, body: sent, headers: { 'content-type': 'application/json' } });
      assert.is(refusalIn(unsigned), '400 invalid-header');
      for (const headers of [{ 'webhook-id': 'a b' }, { 'webhook-timestamp': 'now' }])
        assert.is(refusalIn(await attempt({ headers })), '400 invalid-header');
      assert.is(refusalIn(await attempt({ body: JSON.stringify('x'.repeat(300)) })), '413 body-too-large');
      assert.is(refusalIn(await attempt({ body: '' })), '400 malformed-json');
      assert.equal(baked, []);
    },
    { http: { bodyLimit: 200 } },
  ));

test('a delivery of no interest is acknowledged', () =>
  withShop({}, async ({ baked, deliver: attempt }) => {
    assert.is((await attempt({ body: '{"type":"bread.eaten"}' })).status, 204);
    assert.equal(baked, []);
  }));

test('the same id with another body is refused with 422, and a refusal of the command reaches the sender', () =>
  withShop(
    {},
    async ({ deliver: attempt }) => {
      assert.is((await attempt()).status, 204);
      const other = await attempt({ body: sent.replace('Ada', 'Eve') });
      assert.is(refusalIn(other), '422 idempotency-key-reused');
      assert.is(
        refusalIn(await attempt({ id: 'msg_2', body: sent.replace('Ada', 'Bob') })),
        '404 no-such-customer',
      );
    },
    {
      bake: ({ customer }) => {
        if (customer === 'Bob') throw new Problem('no-such-customer', { status: 404 });
        return {};
      },
    },
  ));

test('a delivery whose command has new ids each time is still one command', () =>
  withShop(
    { toCommand: () => BakeBread.of({ ...order, note: String(Math.random()) }) },
    async ({ baked, deliver: attempt }) => {
      for (let times = 0; times < 3; times++) assert.is((await attempt()).status, 204);
      assert.is(baked.length, 1);
    },
  ));

for (const secrets of [[], [undefined], [''], ['whsec_not base64!']]) {
  test(`the secrets ${JSON.stringify(secrets)} are refused at the start, without repeating them`, () => {
    const failed = () => verifyWebhook({ secrets, toCommand: () => undefined });
    assert.throws(failed, (error: unknown) => {
      return (
        error instanceof Problem && error.code === 'invalid-setup' && !error.message.includes('not base64!')
      );
    });
  });
}

/** The headers of a valid delivery. */
function signed(): Record<string, string> {
  const at = new Date();
  return {
    'content-type': 'application/json',
    'webhook-id': 'msg_7',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(present).sign('msg_7', at, sent),
  };
}
