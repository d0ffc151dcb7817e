import type { PerspectiveRows } from '../model/perspectives.js';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { withBakery } from '../../../endpoints/testing/bakery.js';
import { type Asked, jsonOf, refusalIn, send } from '../../../endpoints/testing/http-client.js';
import {
  aRequest,
  aRecord,
  type ScriptedHost,
  scriptedHost,
  consoleOf,
} from '../../testing/scripted-host.js';
import { Tokens } from '../../../endpoints/access/tokens.js';
import { consoleRoutes } from './routes.js';

const test = suite('console routes');

const files = [
  { path: '/console', type: 'text/html; charset=utf-8', content: Buffer.from('<!doctype html>') },
];
const json = { 'content-type': 'application/json' };
const bearer = { authorization: 'Bearer open sesame' };

interface Shown {
  readonly url: string;
  readonly host: ScriptedHost;
  readonly other: ScriptedHost;
  readonly close: () => void;
  ask(path: string, asked?: Asked): ReturnType<typeof send>;
}

async function withConsole(body: (shown: Shown) => Promise<void>): Promise<void> {
  const [host, other] = [scriptedHost(), scriptedHost('bakery-2')];
  const access = { tokens: new Tokens({ generated: 'open sesame' }), localOnly: true };
  const { add, close } = consoleRoutes(consoleOf(host, other), files, access);
  await withBakery({ http: { routes: [add] } }, async ({ url }) => {
    const ask = (path: string, asked: Asked = {}) => send(url, { method: 'GET', ...asked, path });
    await body({ url, host, other, close, ask }).finally(close);
  });
}

test('the page loads nothing from other sites, and is not sent again while unchanged', () =>
  withConsole(async ({ ask }) => {
    const { status, headers } = await ask('/console');
    assert.is(status, 200);
    assert.match(String(headers['content-security-policy']), /^default-src 'self';/);
    assert.not.match(String(headers['content-security-policy']), 'unsafe');
    const again = await ask('/console', { headers: { 'if-none-match': String(headers['etag']) } });
    assert.is(again.status, 304);
  }));

test('/console/ redirects to /console', () =>
  withConsole(async ({ ask }) => {
    const { status, headers } = await ask('/console/');
    assert.equal([status, headers['location']], [302, '../console']);
  }));

test('the page reads JSON that is not cached', () =>
  withConsole(async ({ ask, host }) => {
    host.requests.push(aRequest('r-1'), aRequest('r-2'));
    const answer = await ask('/console/api/requests?search=2');
    assert.is(answer.headers['cache-control'], 'no-store');
    assert.equal(
      (jsonOf(answer) as { id: string }[]).map(({ id }) => id),
      ['r-2'],
    );
  }));

test('?host= selects another host; an unknown host is a problem', () =>
  withConsole(async ({ ask, other }) => {
    other.requests.push(aRequest('there'));
    assert.equal(jsonOf(await ask('/console/api/hosts')), ['bakery-1', 'bakery-2']);
    assert.is((jsonOf(await ask('/console/api/requests?host=bakery-2')) as []).length, 1);
    assert.is((jsonOf(await ask('/console/api/requests')) as []).length, 0);
    assert.is(refusalIn(await ask('/console/api/requests?host=bakery-3')), '404 not-found');
  }));

test('a part that a host does not have, or a request it no longer remembers, is a problem', () =>
  withConsole(async ({ ask }) => {
    for (const path of ['health', 'requests/r-9', 'system/9', 'system/x', 'dead-letters/9']) {
      assert.is(refusalIn(await ask(`/console/api/${path}`)), '404 not-found', path);
    }
  }));

test('an id that no request has is not called forgotten', () =>
  withConsole(async ({ ask }) => {
    const { detail } = jsonOf(await ask('/console/api/requests/r-9')) as { detail: string };
    assert.is(detail, 'There is no request r-9: no host remembers it, and no record has it.');
  }));

test('an invalid query is refused', () =>
  withConsole(async ({ ask }) => {
    const long = 'x'.repeat(201);
    for (const query of ['limit=many', 'limit=100000', 'search=a&search=b', `search=${long}`, 'search=%00']) {
      assert.is(refusalIn(await ask(`/console/api/requests?${query}`)), '400 invalid-query', query);
    }
  }));

test('what PostgreSQL cannot hold is refused before it is asked', () =>
  withConsole(async ({ ask }) => {
    for (const path of ['/perspectives/a%00b/parked', '/requests/%00', '/streams/%00'])
      assert.match((await ask(`/console/api${path}`)).text, 'has no such character', path);
    for (const path of ['/system?since=0000-01-01', '/system-facets?until=0000-12-31T10:30'])
      assert.is(refusalIn(await ask(`/console/api${path}`)), '400 invalid-query', path);
  }));

test('an invalid number and an unknown parameter are refused by name', () =>
  withConsole(async ({ ask }) => {
    const refusals = [
      ['api/requests?limit=1.5', 'limit must be a whole number from 0 to 200.'],
      ['api/system?limit=-1', 'limit must be'],
      ['api/system?before=abc', 'before must be a whole number'],
      ['api/system?after=abc', 'after is not a parameter; type, user,'],
      ['api/requests?page=2', 'page is not a parameter; search, limit, host, origin, t are.'],
      ['api/hosts?limit=5', 'limit is not a parameter'],
      ['stream?after=abc', 'after must be a whole number'],
      ['stream?before=1', 'before is not a parameter'],
    ] as const;
    for (const [path, detail] of refusals) {
      const answer = await ask(`/console/${path}`);
      assert.is(refusalIn(answer), '400 invalid-query', path);
      assert.ok((jsonOf(answer) as { detail: string }).detail.startsWith(detail), path);
    }
  }));

test('an operator acts by POST with JSON, from the page itself; who and why are part of the action', () =>
  withConsole(async ({ ask, host }) => {
    const act = (path: string, body: unknown, headers: Record<string, string> = {}) =>
      ask(`/console/api/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...json, ...bearer, ...headers },
      });
    await act('dead-letters/7/replay', {});
    await act('dead-letters/8/discard', { reason: 'sent by hand' });
    await act('perspectives/breads/rebuild', { mode: 'InPlace' });
    await act('perspectives/breads/rebuild', { mode: 'SelectedStreams', streams: ['a', 'b'], maxRate: 5 });
    await act('perspectives/breads/release', { reason: 'mended' });
    await act('flags/fancy', { on: true, reason: 'released' });
    const wanted = [
      'replay 7 by operator-token, without a reason',
      'discard 8 by operator-token, sent by hand',
      'rebuild breads InPlace by operator-token, without a reason',
      'rebuild breads SelectedStreams a b 5 by operator-token, without a reason',
      'release breads by operator-token, mended',
      'turn fancy on by operator-token, released',
    ];
    assert.equal(host.operators, wanted);
    const replay = 'dead-letters/7/replay';
    assert.is(refusalIn(await act(replay, {}, { origin: 'http://evil.test' })), '403 access-denied');
    assert.is(
      refusalIn(await act(replay, {}, { 'content-type': 'text/plain' })),
      '415 unsupported-media-type',
    );
    assert.is(
      refusalIn(await ask(`/console/api/${replay}`, { method: 'POST' })),
      '401 unauthenticated',
      'the caller is checked before the body',
    );
    assert.is(refusalIn(await act('dead-letters/9/replay', {})), '404 not-found');
    assert.is(refusalIn(await act('perspectives/cakes/rebuild', { mode: 'InPlace' })), '404 not-found');
    const mode = 'SelectedStreams';
    for (const odd of [
      {},
      { mode: 'Now' },
      { mode, streams: 'a' },
      { mode, maxRate: '5' },
      { mode, fast: 1 },
      { mode, maxRate: 0 },
      { mode, maxRate: 1.5 },
      { mode, maxRate: 3e9 },
    ])
      assert.is(refusalIn(await act('perspectives/breads/rebuild', odd)), '400 invalid-query');
    assert.match(
      (jsonOf(await act('perspectives/breads/rebuild', { mode, maxRate: 3e9 })) as { detail: string }).detail,
      'from 1 to 999999999',
    );
    for (const reason of [7, 'x'.repeat(501), 'sent\0', '\ud800', '', '  ', undefined])
      assert.is(refusalIn(await act('dead-letters/8/discard', { reason })), '400 invalid-query');
    for (const body of [{ on: true }, { on: 'yes', reason: 'x' }, { reason: 'x' }, { on: true, reason: ' ' }])
      assert.is(refusalIn(await act('flags/fancy', body)), '400 invalid-query');
    assert.equal(host.operators, wanted);
  }));

test('the rows of a perspective are read page by page, and only by known parameters', () =>
  withConsole(async ({ ask }) => {
    const rows = async (query: string) => {
      const answer = await ask(`/console/api/perspectives/breads/rows${query}`);
      const { rows: list, hasMore } = jsonOf(answer) as PerspectiveRows;
      return [list.map(({ key }) => key), hasMore];
    };
    assert.equal(await rows(''), [['loaf'], true]);
    assert.equal(await rows('?after=loaf&limit=1'), [['roll'], false]);
    assert.is(refusalIn(await ask('/console/api/perspectives/cakes/rows')), '404 not-found');
    assert.is(refusalIn(await ask('/console/api/perspectives/breads/rows?where=1')), '400 invalid-query');
  }));

test('a parked row is listed with its reason and released by its key', () =>
  withConsole(async ({ ask, host }) => {
    const row = { key: 'order 7', position: 3, eventId: 'e', eventType: 'BreadBaked', error: 'No oven.' };
    host.parkedRows = [{ ...row, attempts: 2, since: '2026-01-01T00:00:00.000Z', released: false }];
    const parked = (name: string) => ask(`/console/api/perspectives/${name}/parked`);
    assert.equal((jsonOf(await parked('breads')) as { error: string }[])[0]?.error, 'No oven.');
    assert.is(refusalIn(await parked('cakes')), '404 not-found');
    const release = (body: unknown) =>
      ask('/console/api/perspectives/breads/release', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...json, ...bearer },
      });
    assert.is((await release({ key: 'order 7', reason: 'mended' })).status, 200);
    assert.is(refusalIn(await release({ key: 'order 8' })), '404 not-found');
    assert.is(refusalIn(await release({ key: 8 })), '400 invalid-query');
    assert.equal(host.actions, ['release breads order 7']);
    assert.equal(host.operators, ['release breads order 7 by operator-token, mended']);
  }));

test('a rebuild is cancelled once it runs', () =>
  withConsole(async ({ ask, host }) => {
    const cancel = () =>
      ask('/console/api/perspectives/breads/cancel', {
        method: 'POST',
        body: JSON.stringify({ reason: 'too slow' }),
        headers: { ...json, ...bearer },
      });
    assert.is(refusalIn(await cancel()), '404 not-found');
    host.rebuilding = { done: 1, total: 9 };
    assert.is((await cancel()).status, 200);
    assert.equal(host.operators, ['cancel breads by operator-token, too slow']);
  }));

test('a foreign host name that resolves to this machine is refused', () =>
  withConsole(async ({ ask }) => {
    for (const path of ['/api/requests', '/api/hosts', '/stream']) {
      const answer = await ask(`/console${path}`, { headers: { host: 'evil.test' } });
      assert.is(refusalIn(answer), '421 misdirected', path);
    }
    assert.is(refusalIn(await ask('/console', { headers: { host: 'evil.test' } })), '421 misdirected');
  }));

test('operator actions need the token from any address, and a URL does not carry it', () =>
  withConsole(async ({ ask, host }) => {
    const act = (path: string, headers: Record<string, string>) =>
      ask(`/console/api/${path}`, {
        method: 'POST',
        body: '{"mode":"InPlace"}',
        headers: { ...json, ...headers },
      });
    for (const path of [
      ...['dead-letters/7/replay', 'dead-letters/8/discard', 'dead-letters/7/replay?t=open%20sesame'],
      ...['perspectives/breads/rebuild', 'perspectives/breads/release', 'flags/fancy'],
    ]) {
      const answer = await act(path, {});
      assert.is(refusalIn(answer), '401 unauthenticated', path);
      assert.is(answer.headers['www-authenticate'], 'Bearer');
      assert.is(refusalIn(await act(path, { authorization: 'Bearer sesame' })), '401 unauthenticated', path);
    }
    assert.equal(host.actions, []);
    assert.is((await act('dead-letters/7/replay', { ...bearer, 'x-forwarded-for': '10.0.0.7' })).status, 200);
  }));

test('verifying the chain changes nothing and needs only read access', () =>
  withConsole(async ({ ask, host }) => {
    const verify = () => ask('/console/api/system/verify', { method: 'POST', body: '{}', headers: json });
    assert.is((await verify()).status, 200);
    assert.equal(host.actions, ['verify']);
  }));

test('a configured token is required for everything but the page that asks for it', async () => {
  const access = { tokens: new Tokens({ inspect: 'open sesame' }), localOnly: true };
  const { add, close } = consoleRoutes(consoleOf(scriptedHost()), files, access);
  await withBakery({ http: { routes: [add], localOnly: true } }, async ({ url }) => {
    const ask = (path: string, headers: Record<string, string>) =>
      send(url, { method: 'GET', path: `/console${path}`, headers });
    for (const headers of [{}, { 'x-forwarded-for': '10.0.0.7' }, { host: 'orders.example' }] as const) {
      for (const query of ['', '?t=open', '?t='])
        assert.is(refusalIn(await ask(`/api/host${query}`, headers)), '401 unauthenticated', query);
      assert.is((await ask('/api/host?t=open%20sesame', headers)).status, 200);
      assert.is((await ask('/api/host', { ...headers, ...bearer })).status, 200);
      assert.is((await ask('', headers)).status, 200);
    }
  }).finally(close);
});

test('the stream sends the full state, then changes, and ends with the host', () =>
  withConsole(async ({ url, host, close }) => {
    host.requests.push(aRequest('r-1'));
    const response = await fetch(`${url}/console/stream`);
    assert.is(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    let received = '';
    const ended = (async () => {
      for await (const part of response.body ?? []) {
        received += Buffer.from(part as Uint8Array).toString();
        if (received.includes('r-1') && !received.includes('"position":1')) {
          if (host.stream.length === 0) setTimeout(() => host.stream.push(aRecord(1)), 50);
        }
        if (received.includes('"position":1')) close();
      }
    })();
    await ended;
    assert.match(received, /event: host\ndata: .*bakery-1/);
    assert.match(received, /id: 1\nevent: records\n/);
  }));
