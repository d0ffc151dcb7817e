import { Webhook } from 'standardwebhooks';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { until } from '../../runtime/kit/until.js';
import { type Received, type WebhookLibrary, withWebhookLibrary } from '../testing/webhook-library.js';

const test = suite('svc add webhooks');

let library: WebhookLibrary;
let release = (): void => undefined;
let running: Promise<void> = Promise.resolve();
test.before(
  () =>
    new Promise<void>((resolve, reject) => {
      running = withWebhookLibrary((lent) => {
        library = lent;
        resolve();
        return new Promise<void>((end) => (release = end));
      });
      running.catch(reject);
    }),
);
test.after(() => {
  release();
  return running;
});

interface Made {
  readonly webhookId: string;
  readonly secret: string;
}

const types = ['book.borrowed'];

/** A webhook at a path of its own. */
async function made(path: string, more: object = {}, key = library.keys.north): Promise<Made> {
  const { status, body } = await library.call(key, '/webhooks', {
    url: library.receiver + path,
    types,
    ...more,
  });
  assert.is(status, 200, JSON.stringify(body));
  const webhook = body as Made;
  // Commands about it read its row.
  await until(async () => (await rowOf(webhook, key))['webhookId'] !== undefined);
  return webhook;
}

async function borrowed(bookId = newUuid(), key = library.keys.north): Promise<string> {
  assert.is((await library.call(key, '/loans', { bookId, reader: 'Ada' })).status, 200);
  return bookId;
}

const at = (path: string): readonly Received[] => library.received.filter((one) => one.path === `/${path}`);
const arrived = (path: string, count: number): Promise<unknown> => until(() => at(path).length >= count);
const dataIn = ({ body }: Received): unknown => (JSON.parse(body) as { readonly data: unknown }).data;
const verified = (secret: string, { headers, body }: Received): boolean => {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};
const rowOf = async ({ webhookId }: Made, key = library.keys.north): Promise<Record<string, unknown>> =>
  (await library.read(key, '/webhooks')).data.find((row) => row['webhookId'] === webhookId) ?? {};
const deliveriesOf = async ({ webhookId }: Made): Promise<readonly Record<string, unknown>[]> =>
  (await library.read(library.keys.north, `/webhook-deliveries?filter[webhookId]=${webhookId}`)).data;
/** So that its deliveries do not reach later tests. */
const removed = ({ webhookId }: Made, key = library.keys.north): Promise<unknown> =>
  library.call(key, '/webhooks/delete', { webhookId });

test('an event is delivered once, with a signature of Standard Webhooks and what was published of it alone', async () => {
  const webhook = await made('first');
  const bookId = await borrowed();
  await arrived('first', 1);
  const [delivery] = at('first');
  assert.ok(delivery !== undefined && verified(webhook.secret, delivery));
  assert.equal(JSON.parse(delivery.body).type, 'book.borrowed');
  assert.equal(dataIn(delivery), { id: bookId });
  await until(async () => (await deliveriesOf(webhook)).length === 1);
  const [row] = await deliveriesOf(webhook);
  assert.equal(
    [row?.['status'], row?.['code'], row?.['attempts'], row?.['deliveryId']],
    ['delivered', 204, 1, delivery.headers['webhook-id']],
  );
  assert.not.match(JSON.stringify(await library.rows('SELECT data::text FROM svc_events')), webhook.secret);
  const audits = await library.rows(
    `SELECT data -> 'commandBody' ->> 'body' FROM svc_system_stream
      WHERE event_type = 'CommandAudited' AND data ->> 'commandType' = 'DeliverWebhook'`,
  );
  assert.equal(audits, [['[redacted]']]);
  await removed(webhook);
});

test('the key of a deleted webhook is destroyed and that is recorded, and no other key is', async () => {
  const [kept, deleted] = [await made('kept'), await made('deleted')];
  const keys = async (): Promise<unknown> =>
    (
      await library.rows(
        `SELECT count(*) FILTER (WHERE wrapped_key IS NULL), count(*) FILTER (WHERE wrapped_key IS NOT NULL) FROM svc_subject_keys
          WHERE subject IN (svc_subject_digest('webhook:${kept.webhookId}'), svc_subject_digest('webhook:${deleted.webhookId}'))`,
      )
    )[0];
  assert.equal(await keys(), ['0', '2']);
  await removed(deleted);
  await until(async () => JSON.stringify(await keys()) === '["1","1"]');
  const recorded = `SELECT count(*) FROM svc_system_stream WHERE event_type = 'SubjectForgotten'
    AND data ->> 'subject' = svc_subject_digest('webhook:${deleted.webhookId}')`;
  await until(async () => JSON.stringify(await library.rows(recorded)) === '[["1"]]');
  await removed(kept);
});

test('two tenants with one URL get their own events', async () => {
  const [north, south] = [await made('shared'), await made('shared', {}, library.keys.south)];
  const [first, second] = [await borrowed(), await borrowed(newUuid(), library.keys.south)];
  await arrived('shared', 2);
  for (const [webhook, bookId] of [
    [north, first],
    [south, second],
  ] as const)
    assert.equal(
      at('shared')
        .filter((one) => verified(webhook.secret, one))
        .map(dataIn),
      [{ id: bookId }],
    );
  assert.is((await library.call(library.keys.south, '/webhooks/delete', north)).status, 404);
  await removed(north);
  await removed(south, library.keys.south);
});

test('a delivery that fails is tried again with the same id', async () => {
  library.answers.set('/broken', { status: 500 });
  const webhook = await made('broken');
  await borrowed();
  await arrived('broken', 1);
  library.answers.delete('/broken');
  await arrived('broken', 2);
  assert.is(new Set(at('broken').map(({ headers }) => headers['webhook-id'])).size, 1);
  await until(async () => (await deliveriesOf(webhook))[0]?.['attempts'] !== undefined);
  assert.ok(Number((await deliveriesOf(webhook))[0]?.['attempts']) > 1);
  await removed(webhook);
});

test('410 disables a webhook at once, what waits is dropped, and it can be enabled again', async () => {
  library.answers.set('/gone', { status: 410 });
  const webhook = await made('gone');
  await borrowed();
  await until(async () => (await rowOf(webhook))['disabled'] === 'gone');
  library.answers.delete('/gone');
  assert.is((await library.call(library.keys.north, '/webhooks/test', webhook)).status, 204);
  await until(async () => (await deliveriesOf(webhook)).some(({ status }) => status === 'dropped'));
  await borrowed();
  assert.is(at('gone').length, 1);
  assert.is((await library.call(library.keys.north, '/webhooks/enable', webhook)).status, 204);
  await until(async () => (await rowOf(webhook))['disabled'] === undefined);
  assert.is((await library.call(library.keys.north, '/webhooks/test', webhook)).status, 204);
  await arrived('gone', 2);
  assert.is(JSON.parse(at('gone').at(-1)?.body ?? '{}').type, 'webhook.test');
  await removed(webhook);
});

test('while a secret is rotated both sign, and without an overlap only the new one', async () => {
  const former = await made('rotated');
  const rotate = async (overlap: string): Promise<Made> =>
    (await library.call(library.keys.north, '/webhooks/rotate-secret', { ...former, overlap })).body as Made;
  const sent = async (): Promise<Received> => {
    const before = at('rotated').length;
    await library.call(library.keys.north, '/webhooks/test', former);
    await arrived('rotated', before + 1);
    return at('rotated').at(-1) as Received;
  };
  const generation = (await rowOf(former))['generation'];
  const present = await rotate('PT1H');
  await until(async () => (await rowOf(former))['generation'] !== generation);
  const both = await sent();
  assert.equal(
    [former, present].map(({ secret }) => verified(secret, both)),
    [true, true],
  );
  const second = (await rowOf(former))['generation'];
  const last = await rotate('PT0S');
  await until(async () => (await rowOf(former))['generation'] !== second);
  const alone = await sent();
  assert.equal(
    [former, present, last].map(({ secret }) => verified(secret, alone)),
    [false, false, true],
  );
  await removed(former);
});

test('a replay maps events from the log and delivers them with the ids that they had', async () => {
  const since = new Date(Date.now() - 60_000).toISOString();
  const webhook = await made('replayed');
  const bookId = await borrowed();
  await arrived('replayed', 1);
  await until(async () => (await deliveriesOf(webhook)).length > 0);
  const { webhookId } = webhook;
  const replay = (more: object) =>
    library.call(library.keys.north, '/webhooks/replay', { webhookId, since, ...more });
  for (const more of [{ mapped: -1 }, { after: -1 }]) assert.is((await replay(more)).status, 422);
  assert.is((await replay({ onlyFailed: true })).status, 204);
  assert.is((await replay({})).status, 204);
  await until(() => at('replayed').filter((one) => JSON.stringify(dataIn(one)).includes(bookId)).length > 1);
  const own = at('replayed').filter((one) => JSON.stringify(dataIn(one)).includes(bookId));
  assert.is(own.length, 2);
  assert.is(new Set(own.map(({ headers }) => headers['webhook-id'])).size, 1);
  await removed(webhook);
});

test('a URL that is not public, a type that is not published and an owner without the permission are refused', async () => {
  const refusal = async (asked: object): Promise<unknown> => {
    const { status, body } = await library.call(library.keys.north, '/webhooks', asked);
    return [status, (body as { readonly type: string }).type];
  };
  const url = library.receiver;
  for (const [asked, expected] of [
    [{ url: 'https://169.254.169.254/', types }, [422, 'urn:svc:problem:address-refused']],
    [{ url: 'http://example.com/', types }, [422, 'urn:svc:problem:address-refused']],
    [{ url, types: ['book.burned'] }, [422, 'urn:svc:problem:invalid-command']],
    [{ url, types: [] }, [422, 'urn:svc:problem:invalid-command']],
  ] as const)
    assert.equal(await refusal(asked), expected);
});

test('an ordered webhook gets the events of one key one after another', async () => {
  const webhook = await made('ordered', { ordered: true });
  library.answers.set('/ordered', { status: 503, headers: { 'retry-after': '1' } });
  for (let nth = 0; nth < 3; nth++)
    assert.is((await library.call(library.keys.north, '/webhooks/test', webhook)).status, 204);
  await arrived('ordered', 1);
  library.answers.delete('/ordered');
  await arrived('ordered', 4);
  const ids = at('ordered').map(({ headers }) => headers['webhook-id']);
  assert.equal([ids[0] === ids[1], new Set(ids).size], [true, 3]);
  await removed(webhook);
});

test('a subscriber that never answers has four calls at once, and delays no other', async () => {
  library.answers.set('/silent', { status: 0 });
  const [silent, other] = [await made('silent'), await made('other')];
  await Promise.all(
    Array.from({ length: 30 }, () => library.call(library.keys.north, '/webhooks/test', silent)),
  );
  await arrived('silent', 4);
  for (let nth = 1; nth <= 5; nth++) {
    assert.is((await library.call(library.keys.north, '/webhooks/test', other)).status, 204);
    await arrived('other', nth);
  }
  assert.is(at('silent').length, 4);
  library.answers.delete('/silent');
  for (const webhook of [silent, other]) await removed(webhook);
});

test('a webhook has the rights of who changed it last', async () => {
  const [own, taken] = [await made('own'), await made('taken', {}, library.keys.clerk)];
  const ownerOf = async (webhook: Made) => (await rowOf(webhook))['owner'];
  assert.not.equal(await ownerOf(taken), await ownerOf(own));
  const { webhookId } = taken;
  const change = { webhookId, url: `${library.receiver}taken`, types };
  assert.is((await library.call(library.keys.north, '/webhooks/change', change)).status, 204);
  const expected = JSON.stringify(await ownerOf(own));
  await until(async () => JSON.stringify(await ownerOf(taken)) === expected);
  for (const one of [own, taken]) await removed(one);
});

test('what the owner may not see any more is not delivered, and disables the webhook', async () => {
  const webhook = await made('revoked', {}, library.keys.clerk);
  await library.rows(`UPDATE svc_api_keys SET revoked_at = now() WHERE id = '${library.clerkId}'`);
  // What the stores grant is looked up once a second.
  await until(async () => {
    await borrowed();
    return (await rowOf(webhook))['disabled'] === 'not-permitted';
  });
  const ends = await deliveriesOf(webhook);
  // Two events may have been on their way.
  assert.ok(ends.some(({ reason }) => reason === 'not-permitted'));
});
