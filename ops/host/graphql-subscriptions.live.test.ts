import { type Client, createClient } from 'graphql-sse';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { post } from '../../endpoints/testing/http-client.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { sentTo, sharedHosts, watch, writeNote } from '../testing/live-hosts.js';
import { withSchema } from '../testing/live-model.js';
import { guardedNotes } from '../testing/live-notes.js';
import { person } from '../testing/live-people.js';

const test = suite('GraphQL subscriptions of a host');

const shared = sharedHosts({ definition: withSchema(guardedNotes), count: 2 });
const urlOf = (at: 0 | 1) => shared.hosts[at]?.url ?? '';
test.before(() => shared.start());
test.after(() => shared.stop());

type Headers = Readonly<Record<string, string>>;

interface NoteChange {
  readonly type: string;
  readonly position: string;
  readonly id: string | null;
  readonly row: { readonly n: number } | null;
}

interface Result {
  readonly data?: Readonly<Record<string, NoteChange>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: Record<string, unknown> }[];
}

/** What the client of graphql-sse passes on. */
class Subscriber {
  readonly results: Result[] = [];
  isComplete = false;
  error: unknown;
  readonly #client: Client;

  constructor(query: string, headers: Headers, url = () => `${urlOf(0)}/graphql`) {
    this.#client = createClient({
      url,
      retry: async () => undefined,
      headers: () => ({
        ...headers,
        ...(this.position === undefined ? {} : { 'last-event-id': this.position }),
      }),
    });
    this.#client.subscribe(
      { query },
      {
        next: (result) => void this.results.push(result as unknown as Result),
        complete: () => (this.isComplete = true),
        error: (error) => (this.error = error),
      },
    );
  }

  static async ready(...given: ConstructorParameters<typeof Subscriber>): Promise<Subscriber> {
    const subscriber = new Subscriber(...given);
    await until(() => subscriber.results.length > 0);
    return subscriber;
  }

  get changes(): readonly NoteChange[] {
    return this.results.flatMap(({ data }) => Object.values(data ?? {}));
  }

  get position(): string | undefined {
    return this.changes.at(-1)?.position;
  }

  /** As `sentTo` writes it. */
  get sent(): readonly string[] {
    return this.changes
      .filter(({ type }) => type !== 'ready')
      .map(({ type, id, row }) => `${type} ${id ?? ''} ${row === null ? '' : row.n}`.trim());
  }

  get codes(): readonly unknown[] {
    return this.results.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions?.['code']));
  }

  close(): void {
    this.#client.dispose();
  }
}

const selection = '{ type position id row { n } }';

const watched: readonly (readonly [field: string, path: string])[] = [
  ['notes', '/notes/live'],
  [
    'notes(filter: { n: { gte: 2 }, shelf: { in: ["a", "b"] } })',
    '/notes/live?filter[n][gte]=2&filter[shelf][in]=a,b',
  ],
  ['ownNotes', '/own-notes/live'],
  ['addressedNotes', '/addressed-notes/live'],
];

test('a subscription sends what the live route sends: the same rows to the same callers', async () => {
  const url = urlOf(0);
  const [ann, bob, eve] = [person('ann'), person('bob'), person('eve', 'south')];
  const noteId = newUuid();
  const one = [`note(id: "${noteId.toUpperCase()}")`, `/notes/${noteId}/live`] as const;
  const pairs = await Promise.all(
    [ann, bob, eve].flatMap((who) =>
      [...watched, one].map(async ([field, path]) => ({
        field,
        subscriber: await Subscriber.ready(`subscription { ${field} ${selection} }`, who),
        reader: await watch(url, path, who),
      })),
    ),
  );
  await writeNote(url, { noteId, n: 1, userId: 'ann', text: 'ann: hello' }, ann);
  await writeNote(url, { noteId, n: 2, userId: 'bob', text: 'bob: hello' }, ann);
  await writeNote(url, { noteId, n: 3, userId: 'eve', text: '' }, eve);
  await writeNote(url, { noteId, n: 1, userId: 'ann', text: 'ann: hello' }, bob);
  await writeNote(url, { noteId, text: '' }, bob);
  for (const [who, userId] of [
    [ann, 'ann'],
    [bob, 'bob'],
    [eve, 'eve'],
  ] as const)
    await writeNote(url, { noteId: newUuid(), n: 9, userId, text: `${userId}: end` }, who);
  const isLast = (text: string | undefined) => text?.endsWith(' 9') === true;
  for (const { field, subscriber, reader } of pairs) {
    const hasEnd = !field.startsWith('note(');
    await until(() => !hasEnd || (isLast(subscriber.sent.at(-1)) && isLast(sentTo(reader).at(-1))));
    await until(() => subscriber.sent.length === sentTo(reader).length);
    assert.equal(subscriber.sent, sentTo(reader), field);
    subscriber.close();
    await reader.close();
  }
  assert.ok(pairs.some(({ subscriber }) => subscriber.sent.some((text) => text.startsWith('gone'))));
});

test('what is refused is refused in the stream, and other operations are answered in it', async () => {
  const ann = person('ann');
  const noteIn = async (query: string, who: Headers = ann) => {
    const subscriber = new Subscriber(query, who);
    await until(() => subscriber.isComplete);
    const [{ data, errors = [] } = {}] = subscriber.results;
    return { data, codes: subscriber.codes, message: errors[0]?.message ?? '' };
  };
  assert.equal((await noteIn('{ service }')).data, { service: 'svc-runtime' });
  assert.equal((await noteIn('subscription { nothing }')).codes, ['invalid-query']);
  assert.equal((await noteIn(`subscription { notes ${selection} ownNotes ${selection} }`)).codes, [
    'invalid-query',
  ]);
  assert.equal((await noteIn(`subscription { notes(after: "x") ${selection} }`)).codes, ['invalid-query']);
  const nobody = person('joe', 'north', []);
  assert.equal((await noteIn(`subscription { notes ${selection} }`, nobody)).codes, ['access-denied']);
  const long = await fetch(`${urlOf(0)}/graphql`, {
    method: 'POST',
    headers: { ...ann, accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'subscription($shelf: String) { notes(filter: { shelf: { eq: $shelf } }) { type } }',
      variables: { shelf: 'x'.repeat(40_000) },
    }),
  });
  await long.body?.cancel();
  assert.is(long.status, 413, 'an open stream keeps what was sent');
  const query = `subscription { notes ${selection} }`;
  const plain = await post(urlOf(0), { query }, { path: '/graphql', headers: ann });
  assert.equal([plain.status, /text\/event-stream/.test(plain.text)], [406, true]);
});

test('a subscription ends with the reason when the caller may no longer read', async () => {
  const { databaseUrl } = shared;
  const assign = (permissions: string) =>
    rowsOf(
      databaseUrl,
      `INSERT INTO svc_role_assignments(tenant_id, user_id, roles, permissions)
        VALUES ('north', 'zoe', '{}', '${permissions}')
        ON CONFLICT (tenant_id, user_id) DO UPDATE SET permissions = excluded.permissions`,
    );
  await assign('{notes:read}');
  const zoe = person('zoe', 'north', []);
  await until(async () => (await fetch(`${urlOf(0)}/notes`, { headers: zoe })).status === 200);
  const subscriber = await Subscriber.ready(`subscription { notes ${selection} }`, zoe);
  await assign('{}');
  await until(() => subscriber.isComplete);
  assert.equal(subscriber.codes, ['stream-closed']);
  assert.is(subscriber.results.at(-1)?.errors?.[0]?.extensions?.['reason'], 'permission');
});

test('the client reconnects when a host stops, and continues on another one without a gap', async () => {
  const ann = person('ann');
  const [one, two, three] = [newUuid(), newUuid(), newUuid()];
  let at: 0 | 1 = 0;
  const query = `subscription { notes ${selection} }`;
  const subscriber = await Subscriber.ready(query, ann, () => `${urlOf(at)}/graphql`);
  await writeNote(urlOf(1), { noteId: one, n: 1 }, ann);
  await until(() => subscriber.sent.length === 1);
  at = 1;
  await shared.hosts[0]?.stop();
  await writeNote(urlOf(1), { noteId: two, n: 2 }, ann);
  await writeNote(urlOf(1), { noteId: three, n: 3 }, ann);
  await until(() => subscriber.sent.length >= 3);
  assert.equal(subscriber.sent, [`changed ${one} 1`, `changed ${two} 2`, `changed ${three} 3`]);
  assert.equal([subscriber.error, subscriber.codes], [undefined, []]);
  subscriber.close();
});
