import type { PerspectiveRows } from '../model/perspectives.js';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { withBakery } from '../../../endpoints/testing/bakery.js';
import { jsonOf, refusalIn, send } from '../../../endpoints/testing/http-client.js';
import { aRequest, aRecord, scriptedHost, consoleOf } from '../../testing/scripted-host.js';
import { Tokens } from '../../../endpoints/access/tokens.js';
import { consoleRoutes } from './routes.js';
import { bearer, files, withConsole } from '../../testing/console-routes.js';

const test = suite('console routes');

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

test('a foreign host name that resolves to this machine is refused', () =>
  withConsole(async ({ ask }) => {
    for (const path of ['/api/requests', '/api/hosts', '/stream']) {
      const answer = await ask(`/console${path}`, { headers: { host: 'evil.test' } });
      assert.is(refusalIn(answer), '421 misdirected', path);
    }
    assert.is(refusalIn(await ask('/console', { headers: { host: 'evil.test' } })), '421 misdirected');
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
