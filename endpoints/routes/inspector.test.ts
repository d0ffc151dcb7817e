import { createWebSocketReceiver } from '@statelyai/inspect';
import { array, assert as check, asyncProperty, integer, record, string } from 'fast-check';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { seeds } from '../../contracts/testing/seeds.js';
import { suite } from '../../contracts/testing/suite.js';
import { type Kitchen, order } from '../testing/bakery.js';
import { post } from '../testing/http-client.js';
import { Tokens } from '../access/tokens.js';
import { until } from '../../runtime/kit/until.js';
import {
  answerTo,
  attach,
  type Frame,
  isDone,
  statesOf,
  withInspector,
} from '../testing/inspected-bakery.js';

const test = suite('inspector');

test("Stately's own receiver sees the states of a request, replayed and live, and no secret", async () => {
  const failing: Kitchen = {
    bake: ({ customer }) => {
      throw new Problem('burnt', { detail: customer });
    },
    recover: () => null,
  };
  await withInspector(failing, async ({ url, ws, inspection }) => {
    inspection.feed.attach(() => undefined);
    const secret = { ...order, customer: 'open-sesame' };
    await post(url, secret);
    const frames: Frame[] = [];
    createWebSocketReceiver({ server: ws }).subscribe((frame) => void frames.push(frame as unknown as Frame));
    await until(() => frames.filter(isDone).length === 1);
    await post(url, secret);
    await until(() => frames.filter(isDone).length === 2);
    const roots = [...new Set(frames.map(({ rootId }) => rootId))];
    assert.is(roots.length, 2);
    for (const root of roots) {
      assert.ok(root.startsWith('oven-1/'));
      const path = ['checking', 'before', 'dispatching', 'recovering', 'failed'];
      assert.equal(statesOf(frames, root), path);
    }
    const definition = frames.find(({ type }) => type === '@xstate.actor')?.definition ?? '';
    assert.is((JSON.parse(definition) as { id: string }).id, 'lifecycle');
    assert.not.match(JSON.stringify(frames), 'open-sesame');
  });
});

test('whatever a command contains, none of its values is in any frame', async () => {
  await withInspector({}, async ({ url, ws }) => {
    const { frames, socket } = await attach(ws);
    const value = string({ minLength: 1, maxLength: 40 }).map((text) => `§${text}`);
    const body = record({
      customer: value,
      loaves: integer({ min: 1_000_000_000, max: 2_000_000_000 }),
      toppings: array(value, { maxLength: 4 }),
      note: value,
    });
    await check(
      asyncProperty(body, async (sent) => {
        const before = frames.filter(isDone).length;
        assert.is((await post(url, sent)).status, 200);
        await until(() => frames.filter(isDone).length > before);
        const values = valuesIn(frames.splice(0));
        for (const secret of [sent.customer, ...sent.toppings, sent.note, String(sent.loaves)]) {
          assert.not.ok(
            values.some((text) => text.includes(secret)),
            secret,
          );
        }
      }),
      { numRuns: seeds(10, 40) },
    );
    socket.terminate();
  });
});

/** Every text and number in it, at any depth. */
function valuesIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) => [name, ...valuesIn(inner)]);
  }
  return [String(value)];
}

test('without an inspector nothing is recorded', async () => {
  await withInspector({}, async ({ url, ws, inspection, inspector }) => {
    await post(url, order);
    const recorded = () => inspection.feed.replay(Infinity).length;
    assert.is(recorded(), 0);
    const { socket, closed } = await attach(ws);
    await post(url, order);
    const ofOne = recorded();
    assert.ok(ofOne > 0);
    socket.close();
    await closed;
    await until(() => inspector.clients === 0);
    await post(url, order);
    assert.is(recorded(), ofOne);
  });
});

test('?host= must name an existing host', () =>
  withInspector({}, async ({ ws }) => {
    assert.is(await answerTo(`${ws}?host=oven-1`), 101);
    assert.is(await answerTo(`${ws}?host=nobody`), 404);
  }));

test('a page of another site, a foreign host name and a forwarded request are refused', async () => {
  await withInspector({}, async ({ ws }) => {
    assert.is(await answerTo(ws), 101);
    assert.is(await answerTo(ws, { origin: 'https://evil.example' }), 403);
    assert.is(await answerTo(ws, { origin: 'http://localhost:5173' }), 403);
    assert.is(await answerTo(ws, { origin: ws.replace('ws:', 'http:').replace('/inspect', '') }), 101);
    assert.is(await answerTo(ws, { host: 'evil.example' }), 421);
    assert.is(await answerTo(ws, { 'x-forwarded-for': '10.0.0.7' }), 403);
  });
});

test('a configured token is always required, in the URL or in a header', async () => {
  const access = { tokens: new Tokens({ inspect: 'let-me-look' }), localOnly: true };
  await withInspector({ access }, async ({ ws }) => {
    for (const headers of [{}, { 'x-forwarded-for': '10.0.0.7' }]) {
      assert.is(await answerTo(ws, headers), 401);
      assert.is(await answerTo(`${ws}?t=wrong`, headers), 401);
      assert.is(await answerTo(`${ws}?t=let-me-look`, headers), 101);
      assert.is(await answerTo(ws, { ...headers, authorization: 'Bearer let-me-look' }), 101);
    }
  });
});

test('when the host stops all inspectors are disconnected, and no new one is accepted', async () => {
  await withInspector({}, async ({ ws, inspector }) => {
    const { closed } = await attach(ws);
    inspector.stop();
    assert.is(await closed, 1001);
    assert.is(await answerTo(ws), 503);
  });
});
