import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { jsonOf, refusalIn } from '../../../endpoints/testing/http-client.js';
import { bearer, json, withConsole } from '../../testing/console-routes.js';

const test = suite('actions of operators');

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
