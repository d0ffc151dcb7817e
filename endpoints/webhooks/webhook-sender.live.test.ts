import { Webhook as Verifier } from 'standardwebhooks';
import * as assert from 'uvu/assert';
import { type EffectCall, TryLater } from '../../contracts/effect.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Event } from '../../contracts/message.js';
import type { AnyPerspective } from '../../contracts/perspective.js';
import { Permission } from '../../contracts/permission.js';
import type { Problem } from '../../contracts/problems.js';
import type { UnitOfWork } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { InMemorySubjectKeys } from '../../runtime/kit/in-memory-subject-keys.js';
import { startHttpsServer } from '../../runtime/testing/https-server.js';
import { type RecordedRange, webhookHost, type WebhookHost } from '../../runtime/webhooks/webhook-host.js';
import { subjectOfWebhook, webhookSecret } from '../../runtime/webhooks/webhook-secret.js';
import type { Webhook } from './attempt-delivery.js';
import { published } from './published.js';
import { secretText } from './sign-delivery.js';
import { webhookSender } from './webhook-sender.js';

const test = suite('webhook sender');

class OrderPaid extends Event {
  orderId!: string;
}

abstract class Webhooks implements AnyPerspective<Webhook> {
  abstract readonly name: string;
  abstract readonly events: [];
  abstract apply(): Webhook;
}

const publication = published(OrderPaid, {
  type: 'order.paid',
  permission: Permission.read('orders'),
  of: ({ payload: { orderId } }) => ({ orderId }),
});

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
}

interface Delivering {
  deliver(row: Partial<Webhook> | undefined, call?: { last?: number; type?: string }): Promise<unknown>;
  readonly seen: { readonly body: string; readonly headers: Record<string, string> }[];
  readonly kept: unknown[];
  readonly keys: InMemorySubjectKeys;
  readonly webhookId: string;
}

/** A receiver that always gives this answer. */
async function withReceiver(
  answer: Answer,
  body: (delivering: Delivering) => Promise<void>,
  permits = true,
): Promise<void> {
  const seen: { body: string; headers: Record<string, string> }[] = [];
  const server = await startHttpsServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      seen.push({ body: text, headers: request.headers as Record<string, string> });
      response.writeHead(answer.status, answer.headers).end();
    });
  });
  const { port, authority, url } = server;
  const options = { allowedAddresses: ['127.0.0.1', '::1'], allowedPorts: [port], authorities: [authority] };
  const sender = webhookSender([publication], options);
  const [keys, webhookId, kept] = [new InMemorySubjectKeys(), newUuid(), [] as unknown[]];
  const news = { eventId: newUuid(), type: 'order.paid', body: '{}', key: '' };
  const deliver: Delivering['deliver'] = (row, { last, type = 'order.paid' } = {}) => {
    const webhook = row && { url, owner: {}, generation: 'one', former: [], ...row };
    const host: WebhookHost = {
      models: { one: async () => webhook, some: async () => [] },
      permits: async () => permits,
      secretOf: (id, generation) => webhookSecret(keys, id, generation),
      forget: async () => undefined,
      recorded: async () => ({ events: [] }),
    };
    const call: EffectCall = {
      id: newUuid(),
      attempt: 3,
      askedAt: '2026-01-01T00:00:00Z',
      correlationId: '',
      last,
      scope: { allowedPrincipals: [], extensions: {} },
      signal: new AbortController().signal,
      progress: async (detail) => kept.push(detail) > 0,
    };
    const request = { ...sender.requestFor(webhookId, news), type };
    return sender.deliver(Webhooks, request, Object.assign(call, { [webhookHost]: host }));
  };
  try {
    await body({ deliver, seen, kept, keys, webhookId });
  } finally {
    await server.close();
  }
}

const thrownBy = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

test('a signature verifies with the secret of its generation alone', () =>
  withReceiver({ status: 200 }, async ({ deliver, seen, keys, webhookId }) => {
    const ended = (await deliver({})) as { end: string; code: number };
    assert.equal([ended.end, ended.code], ['delivered', 200]);
    const [one] = seen;
    assert.ok(one !== undefined);
    const secretOf = async (generation: string): Promise<string> =>
      secretText((await webhookSecret(keys, webhookId, generation)) ?? Buffer.alloc(0));
    new Verifier(await secretOf('one')).verify(one.body, one.headers);
    const other = new Verifier(await secretOf('two'));
    assert.throws(() => other.verify(one.body, one.headers));
  }));

test('a webhook that has only failed for five days is disabled, and not before', () =>
  withReceiver({ status: 500 }, async ({ deliver }) => {
    const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
    for (const failingSince of [undefined, ago(4.9)])
      assert.is(((await thrownBy(deliver({ failingSince }))) as Problem).code, 'effect-failed');
    const ended = await deliver({ failingSince: ago(5.1) });
    assert.equal(ended, { end: 'failed', reason: 'failing' });
  }));

test('a redirect and any answer but 2xx and 410 are tried again', async () => {
  for (const status of [301, 400, 404, 500])
    await withReceiver(
      { status, headers: { location: 'https://169.254.169.254/' } },
      async ({ deliver, seen }) => {
        assert.is(((await thrownBy(deliver({}))) as Problem).code, 'effect-failed', String(status));
        assert.is(seen.length, 1);
      },
    );
});

test('Retry-After is respected up to an hour, and one that asks again and again waits longer and longer', async () => {
  const paused = async (seconds: string, last?: number): Promise<string> => {
    let after = '';
    await withReceiver({ status: 429, headers: { 'retry-after': seconds } }, async ({ deliver, kept }) => {
      const thrown = await thrownBy(deliver({}, last === undefined ? {} : { last }));
      assert.ok(thrown instanceof TryLater);
      assert.equal(kept, [(last ?? 0) + 1]);
      ({ after } = thrown);
    });
    return after;
  };
  assert.is(await paused('30'), 'PT30S');
  assert.is(await paused('86400'), 'PT3600S');
  assert.is(await paused('9'.repeat(400)), 'PT3600S');
  assert.is(await paused('1', 4), 'PT80S');
  assert.is(await paused('1', 2_000), 'PT3600S');
});

test('nobody is called for a webhook that is disabled or deleted, or for a type that is not published any more', () =>
  withReceiver({ status: 200 }, async ({ deliver, seen, keys, webhookId }) => {
    assert.equal(await deliver(undefined), { end: 'dropped' });
    assert.equal(await deliver({ disabled: 'gone' }), { end: 'dropped' });
    assert.equal(await deliver({}, { type: 'order.lost' }), { end: 'dropped' });
    keys.forget(subjectOfWebhook(webhookId));
    assert.equal(await deliver({}), { end: 'dropped' });
    assert.equal(seen, []);
  }));

test('nobody is called when the owner has lost the permission', () =>
  withReceiver(
    { status: 200 },
    async ({ deliver, seen }) => {
      const ended = { end: 'failed', reason: 'not-permitted' };
      assert.equal(await deliver({}), ended);
      assert.equal(seen, []);
    },
    false,
  ));

test('a replay ends after 10,000 events of its tenant, whatever it is asked to begin with', async () => {
  const asked: RecordedRange[] = [];
  const context = { tenantId: 'north' };
  const event = { globalPosition: 7, scope: context, messageType: 'Other', payload: {} };
  const host: Partial<WebhookHost> = {
    recorded: async (range) => {
      asked.push(range);
      return { events: Array.from({ length: range.limit }, () => event as unknown as StoredEvent), end: 7 };
    },
  };
  const work = { context: { scope: context }, [webhookHost]: host } as unknown as UnitOfWork;
  const since = '2026-01-01T00:00:00Z';
  const sender = webhookSender([publication]);
  const from = { types: ['order.paid'], since, after: -5, mapped: -1_000_000 };
  const { next } = await sender.replayed(work, from);
  assert.equal([asked[0]?.tenantId, asked[0]?.after, next?.after, next?.mapped], ['north', 0, 7, 200]);
  assert.is((await sender.replayed(work, { ...from, mapped: 9_800 })).next, undefined);
});
