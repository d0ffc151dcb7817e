import { once } from 'node:events';
import * as assert from 'uvu/assert';
import { WebSocket } from 'ws';
import { suite } from '../contracts/testing/suite.js';
import { type Answered, post, send } from '../endpoints/testing/http-client.js';
import { newUuid } from '../contracts/uuid.js';
import { ForeignStore, inbound } from '../runtime/testing/foreign-events.js';
import { RawNats } from '../runtime/testing/raw-nats.js';
import { rowsOf } from '../runtime/testing/rows-of.js';
import { until } from '../runtime/kit/until.js';
import { expensiveReads, operatorActions, reads } from './console/server/api-handlers.js';
import { isIn } from './testing/canaries.js';
import { mishaps, random, type Scene, withCards } from './testing/mistreated-cards.js';

const test = suite('secrets');

/** Sends the card with every mishap, over every transport and with each credential, and wrong ones, too. */
async function sendEverything({ host: { url }, secrets, seen }: Scene): Promise<void> {
  const { card, token, key, wrong } = secrets;
  const note = (what: string, { text, headers }: Answered): void =>
    void seen.set(`${seen.size} ${what}`, JSON.stringify(headers) + text);
  const credentials: readonly Readonly<Record<string, string>>[] = [
    { authorization: `Bearer ${token.text}` },
    { authorization: `Bearer ${key.text}` },
    { 'x-api-key': key.text },
    { authorization: `Bearer ${wrong.text}` },
    { 'x-api-key': `${key.text}x` },
    { authorization: `Bearer ${token.text}x` },
    {
      authorization: `Basic ${Buffer.from(`:${key.text}`).toString('base64')}`,
      cookie: `svc-session=${token.text}`,
    },
  ];
  for (const mishap of mishaps)
    for (const headers of credentials.slice(0, mishap === 'handler' ? undefined : 3)) {
      const body = { card: card.text, mishap };
      for (const path of ['/cards', '/cards/renew']) note(path, await post(url, body, { path, headers }));
      const keyed = { ...headers, 'idempotency-key': `${mishap}-1` };
      note('keyed', await post(url, body, { path: '/cards', headers: keyed }));
      const query = `mutation($c: StoreCardInput!) { storeCard(command: $c) { status } }`;
      note('graphql', await post(url, { query, variables: { c: body } }, { path: '/graphql', headers }));
    }
  for (const sent of credentials)
    for (const path of ['/cards', '/console'])
      note(
        'authenticate',
        await send(url, { method: 'GET', path, headers: { ...sent, 'x-mishap': 'authenticate' } }),
      );
  const [headers = {}] = credentials;
  for (const body of [
    { card: [card.text], mishap: 1 },
    { card: { [card.text]: card.text } },
    card.text.repeat(9),
    [card.text],
  ])
    note('invalid', await post(url, body, { path: '/cards', headers }));
  const literal = `mutation { storeCard(command: { card: "${card.text}", mishap: ${card.text} }) { status } }`;
  note('invalid graphql', await post(url, { query: literal }, { path: '/graphql', headers }));
  for (const { text } of [token, key, wrong])
    for (const path of [
      `/cards?token=${text}`,
      `/cards?access_token=${text}`,
      `/console?token=${text}`,
      `/nothing?token=${text}`,
    ])
      note('query', await send(url, { method: 'GET', path }));
}

/** Another store sends cards that every consumer fails on, and garbage that ends as dead letters. */
async function publishMessages({ broker, secrets: { card } }: Scene): Promise<void> {
  const raw = await RawNats.connect(broker);
  const store = new ForeignStore();
  for (const mishap of ['none', 'apply', 'key', 'column', 'upcaster', 'unstorable']) {
    const payload = { card: mishap === 'unstorable' ? `${card.text}\0` : card.text, mishap };
    const { subject, body } = inbound(store.event(newUuid(), { messageType: 'CardStored', payload }));
    raw.publish(subject, body);
  }
  const bodies = [card.text, JSON.stringify({ card: card.text }), JSON.stringify({ messageType: card.text })];
  for (const body of bodies) raw.publish('svc.events.CardStored', Buffer.from(body));
  raw.publish(
    'svc.events.CardStored',
    Buffer.from(''),
    `NATS/1.0\r\nNats-Msg-Id: ${random()}\r\nsvc-store: x`,
  );
  await raw.flush();
  raw.close();
}

/** Every read and action of the console, the pages, the metrics and the frames. */
async function lookEverywhere({ host: { url }, secrets, seen }: Scene): Promise<void> {
  const headers = { authorization: `Bearer ${secrets.token.text}` };
  const fill = (path: string, id: string) => path.replace(':name', 'cards').replace(/:\w+/, id);
  const look = async (method: string, path: string): Promise<void> => {
    const body = { ...(method === 'POST' ? { body: '{"mode":"InPlace","reason":"why"}' } : {}) };
    const all = { ...headers, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) };
    seen.set(`${method} ${path}`, await anyAnswer(url, method, path, all, body));
  };
  const system = JSON.parse(
    await anyAnswer(url, 'GET', '/console/api/system?limit=200', headers, {}),
  ) as unknown;
  seen.set('system', JSON.stringify(system));
  for (const path of Object.keys(reads))
    for (const id of ['1', '2', '3', '9', '20']) await look('GET', `/console/api${fill(path, id)}`);
  for (const path of [...Object.keys(expensiveReads), ...Object.keys(operatorActions)])
    for (const id of ['1', '2']) await look('POST', `/console/api${fill(path, id)}`);
  for (const path of [
    '/cards',
    '/card-list',
    '/metrics',
    '/health',
    '/machines',
    '/docs',
    '/openapi.json',
    '/console',
  ])
    await look('GET', path);
  for (const field of ['cards', 'cardList']) {
    const query = `{ ${field}(first: 100) { edges { node { card } } } }`;
    const answer = await post(url, { query }, { path: '/graphql', headers });
    assert.match(answer.text, /"code":"unexpected"/);
    seen.set(`graphql ${field}`, answer.text);
  }
}

const healthText = ({ host: { url }, secrets: { operator } }: Scene): Promise<string> =>
  anyAnswer(url, 'GET', '/health', { authorization: `Bearer ${operator.text}` }, {});

/** An answer that may show internals, as the console does. */
const anyAnswer = async (
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: { readonly body?: string },
): Promise<string> => (await fetch(`${url}${path}`, { method, headers, ...body })).text();

const framesOf = ({ host: { url }, secrets: { operator }, seen }: Scene): WebSocket => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/inspect`, {
    headers: { authorization: `Bearer ${operator.text}` },
  });
  socket.on('message', (data: Buffer) =>
    seen.set('frames', `${seen.get('frames') ?? ''}${data.toString('utf8')}`),
  );
  return socket;
};

/** The live updates of the console, until the host ends. */
async function followConsole({ host: { url }, secrets: { operator }, seen }: Scene): Promise<void> {
  const headers = { authorization: `Bearer ${operator.text}` };
  const { body, status } = await fetch(`${url}/console/stream`, { headers });
  assert.is(status, 200);
  const note = (text: string): void => void seen.set('stream', `${seen.get('stream') ?? ''}${text}`);
  const write = (bytes: Uint8Array): void => note(Buffer.from(bytes).toString('utf8'));
  body?.pipeTo(new WritableStream({ write })).catch(() => undefined);
}

/** The text of every table of the store, by name. */
async function tablesOf(database: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const names = await rowsOf(
    database,
    "SELECT oid::regclass FROM pg_class WHERE relkind IN ('r', 'm') AND relnamespace = 'public'::regnamespace",
  );
  for (const [name = ''] of names)
    found.set(name, (await rowsOf(database, `SELECT to_json(t)::text FROM ${name} t`)).join('\n'));
  return found;
}

/** Where decisions allow a sensitive value: events, messages, read models, answers of idempotency keys, dead letters, snapshots, commands of timers. */
const mayHoldSensitive =
  /^(svc_events|svc_per_card|svc_snap_card|svc_idempotency|svc_stuck_work|svc_timers|svc_processes)/;

/** What timers and processes say about their failures, beside what they hold; of stuck work, all but the dead letters. */
const stepErrors = `SELECT CASE kind WHEN 'effect' THEN kind ELSE 'timer' END, error FROM svc_timers WHERE parked UNION ALL
  SELECT 'process', error FROM svc_processes WHERE status = 'parked' UNION ALL
  SELECT split_part(follower, '/', 1), to_json(w)::text FROM svc_stuck_work w WHERE id IS NULL`;

test('a sensitive value, a token and a key are nowhere but where they may be, whatever fails', () =>
  withCards(async (scene) => {
    const { host, database, tapped, secrets, seen } = scene;
    const frames = framesOf(scene);
    await once(frames, 'open');
    await followConsole(scene);
    await sendEverything(scene);
    await publishMessages(scene);
    const count = async (text: string) => Number((await rowsOf(database, text))[0]?.[0]);
    await until(async () => (await count('SELECT count(*) FROM svc_dead_letters')) >= 3);
    await until(
      async () =>
        (await count("SELECT count(*) FROM svc_stuck_work WHERE starts_with(follower, 'svc_')")) >= 3,
    );
    await until(async () => {
      const failed = new Set((await rowsOf(database, stepErrors)).map(([kind]) => kind));
      return ['timer', 'effect', 'process', 'reaction'].every((kind) => failed.has(kind));
    });
    seen.set('errors of steps', JSON.stringify(await rowsOf(database, stepErrors)));
    // Until the checks have run again, so that health and metrics show it.
    await until(async () => /charge-card has parked/.test(await healthText(scene)));
    await lookEverywhere(scene);
    frames.close();
    await host.kill('SIGTERM');
    const output = [...host.output.stdout, ...host.output.stderr].join('');
    const messages = new Map(
      tapped.map(({ subject, bytes }, index) => [
        `${index} ${subject}`,
        Buffer.from(bytes).toString('latin1'),
      ]),
    );
    const headers = new Map(tapped.map((message, index) => [`headers ${index}`, message.headers]));
    const places = new Map([
      ...seen,
      ...messages,
      ...headers,
      ...(await tablesOf(database)),
      ['output', output],
    ]);
    assert.ok(output.includes('error.type') && (seen.get('frames') ?? '').includes('StoreCard'));
    assert.match(seen.get('stream') ?? '', 'CommandFailed');
    assert.ok([...headers.values()].some((text) => text.includes('svc-correlation-id: ')));
    const mayHold = (place: string): boolean =>
      mayHoldSensitive.test(place) || / (svc\.events\.|_INBOX\.)|^GET \/cards$/.test(place);
    const found = [...places].flatMap(([place, text]) =>
      Object.entries(secrets).flatMap(([name, secret]) =>
        isIn(text, secret) && !(name === 'card' && mayHold(place)) ? [`${name} in ${place}`] : [],
      ),
    );
    assert.equal(found, []);
    assert.ok(
      [...places].some(([place, text]) => /^svc_events(_\d+)?$/.test(place) && isIn(text, secrets.card)),
    );
  }));
