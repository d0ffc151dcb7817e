import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { type Change, type Reading, readingBy } from '../testing/client-of-example.js';

const test = suite('watch of the client');

const type = 'text/event-stream; charset=utf-8';
const encoder = new TextEncoder();

/** An answer that sends these parts, and then ends, breaks off or stays open. */
const stream = (
  parts: readonly (string | Uint8Array)[],
  then: 'end' | 'break' | 'stay' = 'end',
): Response => {
  const left = parts.map((part) => (typeof part === 'string' ? encoder.encode(part) : part));
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const part = left.shift();
      if (part !== undefined) controller.enqueue(part);
      else if (then === 'end') controller.close();
      else if (then === 'break') controller.error(new TypeError('terminated'));
      else return new Promise<void>(() => undefined);
      return undefined;
    },
  });
  return new Response(body, { headers: { 'content-type': type } });
};

const changed = (position: number, row: unknown = position, id = 'k'): string =>
  `id: ${position}.1\nevent: changed\ndata: ${JSON.stringify({ id, row })}\n\n`;

const closed = (reason: string): string => `event: closed\ndata: ${JSON.stringify({ reason })}\n\n`;

/** Reconnects at once. */
const soon = 'retry: 1\n\n';

async function take(changes: AsyncIterable<Change>, count: number): Promise<readonly Change[]> {
  const taken: Change[] = [];
  for await (const change of changes) if (taken.push(change) === count) break;
  return taken;
}

const errorOf = async (changes: AsyncIterable<Change>): Promise<Record<string, unknown>> =>
  (await take(changes, Infinity).catch((error: unknown) => error)) as Record<string, unknown>;

const lastEventIds = (sent: Awaited<ReturnType<typeof readingBy>>['sent']): readonly (string | null)[] =>
  sent.map(({ init }) => new Headers(init?.headers).get('last-event-id'));

/** Watches a list whose connections are answered one after the other; the last answer is repeated. */
async function watching(
  answers: readonly (() => Response)[],
  options: Parameters<Reading['watch']>[1] = {},
): Promise<{ readonly changes: AsyncIterable<Change>; readonly ids: () => readonly (string | null)[] }> {
  let next = 0;
  const { rows, sent } = await readingBy(
    () => answers[Math.min(next++, answers.length - 1)]?.() ?? stream([]),
  );
  return { changes: rows.watch({}, options), ids: () => lastEventIds(sent) };
}

test('a list is watched with its filter, a row by its id, and each change has its position', async () => {
  const { rows, sent } = await readingBy(() =>
    stream(
      [
        soon,
        'id: 7.9\nevent: ready\ndata: {}\n\n',
        changed(8, { n: 1 }),
        'id: 9.1\nevent: gone\ndata: {"id":"k"}\n\n',
      ],
      'stay',
    ),
  );
  const filter = { zipCode: { in: ['a,b', 'c'] }, spent: { gte: 1 } };
  assert.equal(await take(rows.watch({ filter }), 3), [
    { type: 'ready', position: '7.9' },
    { type: 'changed', position: '8.1', id: 'k', row: { n: 1 } },
    { type: 'gone', position: '9.1', id: 'k' },
  ]);
  await take(rows.watch('a/b'), 1);
  const [list, one] = sent;
  assert.is(list?.url.pathname, '/api/shop/addresses/live');
  assert.equal(
    [...(list?.url.searchParams ?? [])],
    [
      ['filter[zipCode]', 'a,b'],
      ['filter[zipCode]', 'c'],
      ['filter[spent][gte]', '1'],
    ],
  );
  assert.is(one?.url.href, 'http://127.0.0.1:3000/api/shop/addresses/a%2Fb/live');
  const headers = new Headers(list?.init?.headers);
  assert.equal([headers.get('accept'), headers.get('authorization')], ['text/event-stream', 'Bearer abc']);
});

test('a filter that matches nothing is ready, and needs no request', async () => {
  const { rows, sent } = await readingBy(() => stream([]));
  const changes = await take(rows.watch({ filter: { zipCode: { in: [] } } }), Infinity);
  assert.equal([changes, sent], [[{ type: 'ready', position: '' }], []]);
});

test('leaving the loop closes the connection', async () => {
  const { rows, sent } = await readingBy(() => stream([changed(1)], 'stay'));
  await take(rows.watch(), 1);
  assert.ok(sent[0]?.init?.signal?.aborted);
});

test('a connection that ends, breaks off, drains or was too slow is continued after the last position', async () => {
  const lost = [
    () => stream([soon, changed(1)]),
    () => stream([soon, changed(2)], 'break'),
    () => stream([soon, changed(3), closed('draining')], 'stay'),
    () => stream([soon, changed(4), closed('slow')], 'stay'),
    () => Response.json({ type: 'urn:svc:problem:overloaded', title: 'Busy', status: 503 }, { status: 503 }),
    () => stream([soon, ': \nid: 9.1\n\n']),
    () => stream([soon, changed(10)], 'stay'),
  ];
  const { changes, ids } = await watching(lost, { after: '0.1' });
  const rows = (await take(changes, 5)).map(({ row }) => row);
  assert.equal(rows, [1, 2, 3, 4, 10]);
  assert.equal(ids(), ['0.1', '1.1', '2.1', '3.1', '4.1', '4.1', '9.1']);
});

test('a connection that is silent is replaced', async () => {
  const { changes, ids } = await watching(
    [() => stream([soon, changed(1)], 'stay'), () => stream([changed(2)], 'stay')],
    { silenceMs: 20 },
  );
  assert.is((await take(changes, 2))[1]?.row, 2);
  assert.equal(ids(), [null, '1.1']);
});

test('a refusal ends the iteration with its problem, at the start and after a lost connection', async () => {
  const refusal = (status: number) => () =>
    Response.json({ type: 'urn:svc:problem:refused', title: 'No', status }, { status });
  for (const status of [400, 401, 403, 404, 429, 503])
    assert.is((await errorOf((await watching([refusal(status)])).changes))['status'], status);
  for (const status of [400, 401, 403, 404]) {
    const { changes, ids } = await watching([() => stream([soon, changed(1)]), refusal(status)]);
    assert.is((await errorOf(changes))['status'], status);
    assert.is(ids().length, 2);
  }
});

test('the reason for which the service ends a stream ends the iteration', async () => {
  for (const reason of ['permission', 'limit']) {
    const { changes, ids } = await watching([() => stream([soon, changed(1), closed(reason)], 'stay')]);
    const error = await errorOf(changes);
    assert.equal([error['code'], ids().length], ['stream-closed', 1]);
    assert.is((error['problem'] as { reason?: string }).reason, reason);
  }
});

test('what is not a live stream is refused, and so is an event without end', async () => {
  for (const answer of [
    () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    () => stream([soon, 'event: changed\ndata: {"id\n\n'], 'stay'),
    () =>
      stream(
        Array.from({ length: 20 }, () => `data: ${'x'.repeat(1_048_576)}\n`),
        'stay',
      ),
    () => stream([`data: ${'x'.repeat(17_000_000)}`], 'stay'),
  ])
    assert.is((await errorOf((await watching([answer])).changes))['code'], 'unreadable-stream');
});

test('an aborted watch ends with the reason, while it reads and while it waits to reconnect', async () => {
  for (const last of [() => stream([changed(1)], 'stay'), () => stream(['retry: 900000\n\n', changed(1)])]) {
    const stop = new AbortController();
    const { changes } = await watching([last], { signal: stop.signal });
    const iterator = changes[Symbol.asyncIterator]();
    await iterator.next();
    const waiting = iterator.next().catch((error: unknown) => error);
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new TypeError('enough'));
    assert.match(String(await waiting), 'enough');
  }
});

/** Texts with everything that has a meaning in a stream, in JSON or in UTF-8. */
const anyText = fc.string({
  unit: fc.constantFrom('a', ' ', ':', '\n', '\r', '\0', '\u2028', 'ä', '€', '😀', '"', '\\', 'id: 1'),
  maxLength: 8,
});

const anyEvent = fc.record({ id: anyText, row: anyText, lines: fc.constantFrom('\n', '\r\n', '\r') });

/** The bytes, cut at any of them. */
const cutAt = (bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] => {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  return places.slice(1).map((to, n) => bytes.slice(places[n], to));
};

test('events are read alike, wherever they are cut, and however their lines end', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(anyEvent, { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat(), { maxLength: 40 }),
      async (events, cuts) => {
        const text = events.map(({ id, row, lines }, n) =>
          `\uFEFF: comment\n\n${changed(n, row, id)}`.slice(n === 0 ? 0 : 1).replaceAll('\n', lines),
        );
        const { changes } = await watching([
          () => stream(cutAt(encoder.encode(text.join('')), cuts), 'stay'),
        ]);
        const found = (await take(changes, events.length)).map(({ id, row }) => ({ id, row }));
        assert.equal(
          found,
          events.map(({ id, row }) => ({ id, row })),
        );
      },
    ),
    { numRuns: 200 },
  ));

test('nothing is missed and nothing comes twice, wherever connections break', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: soon.length, max: 400 }), { maxLength: 6 }),
      async (breaks) => {
        const events = Array.from({ length: 12 }, (_, n) => changed(n + 1, n + 1));
        const left = [...breaks];
        const { rows } = await readingBy((_url, init) => {
          const after = Number.parseInt(new Headers(init?.headers).get('last-event-id') ?? '0', 10);
          const bytes = encoder.encode(soon + events.slice(after).join(''));
          const end = left.shift();
          return end === undefined ? stream([bytes], 'stay') : stream([bytes.slice(0, end)], 'break');
        });
        const found = (await take(rows.watch({}, { after: '0.1' }), events.length)).map(({ row }) => row);
        assert.equal(
          found,
          events.map((_, n) => n + 1),
        );
      },
    ),
    { numRuns: 40 },
  ));
