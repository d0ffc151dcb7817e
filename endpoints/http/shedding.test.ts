import { setTimeout as delay } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { problemIn, refusalIn, send } from '../testing/http-client.js';
import { unloaded } from './load-estimate.js';
import { RouteLimit, Shedding } from './shedding.js';

const test = suite('shedding');

interface Ovens {
  readonly url: string;
  readonly routeLimit: RouteLimit;
  readonly shedding: Shedding;
  readonly seen: string[];
}

/** A server with one route that bakes; everything else is never shed. */
async function withOvens(body: (ovens: Ovens) => Promise<void>): Promise<void> {
  const app: FastifyInstance = fastify({ bodyLimit: 100 });
  const shedding = new Shedding({ size: 1_000 });
  const routeLimit = shedding.routeLimit();
  const seen: string[] = [];
  app.addHook('onRequest', (request, reply, done) => {
    shedding.admit(request, reply, done);
  });
  app.post('/bread', { onRequest: shedding.guard(routeLimit) }, (request) => {
    seen.push('bread');
    return request.body;
  });
  const agents = shedding.routeLimit();
  app.post(
    '/mcp',
    { onRequest: shedding.guard(agents, true), config: { isForAgents: true } },
    () => 'called',
  );
  for (const path of ['/health/live', '/metrics']) app.get(path, () => 'fine');
  app.post('/block', () => {
    for (const end = Date.now() + 10; Date.now() < end;);
    return 'done';
  });
  app.server.on('connection', () => shedding.accepted());
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  try {
    await body({ url, routeLimit, shedding, seen });
  } finally {
    shedding.stop();
    await app.close();
  }
}

/** Forty clients whose requests block the loop for 10 ms each, until the condition is met; returns their answers. */
async function besieged(url: string, isEnough: () => boolean): Promise<readonly number[]> {
  const statuses: number[] = [];
  const end = Date.now() + 30_000;
  const client = async (): Promise<void> => {
    while (!isEnough() && Date.now() < end) statuses.push((await send(url, { path: '/block' })).status);
  };
  await Promise.all(Array.from({ length: 40 }, client));
  return statuses;
}

const json = { 'content-type': 'application/json' };

test('a full route answers 503 with Retry-After before it reads the body', () =>
  withOvens(async ({ url, routeLimit, shedding, seen }) => {
    routeLimit.load = { ...unloaded, limit: 0 };
    const tooLarge = 'x'.repeat(1_000);
    const answer = await send(url, { body: tooLarge, headers: json });
    assert.is(refusalIn(answer), '503 overloaded');
    assert.is(answer.headers['retry-after'], '1');
    assert.is(problemIn(answer).instance, '/bread');
    assert.equal([seen, shedding.shed], [[], 1]);
  }));

test('a sender that is alone has the whole route; beside others, the last quarter is for those that come seldom', () => {
  const routeLimit = new RouteLimit();
  routeLimit.load = { ...unloaded, limit: 8 };
  const enters = (sender: string): boolean => {
    const isAdmitted = routeLimit.admits(() => sender);
    if (isAdmitted) routeLimit.enter();
    return isAdmitted;
  };
  assert.equal(Array.from({ length: 9 }, () => enters('loud')).filter(Boolean).length, 8);
  assert.is(enters('quiet'), false, 'nobody is over the limit');
  for (let n = 0; n < 2; n++) routeLimit.leave(performance.now(), true);
  assert.equal(['loud', 'quiet', 'loud', 'rare', 'late'].map(enters), [false, true, false, true, false]);
});

test('a host sheds load from a refusal until a while after the last one', () =>
  withOvens(async ({ url, routeLimit, shedding }) => {
    assert.not(shedding.isShedding);
    routeLimit.load = { ...unloaded, limit: 0 };
    await send(url, { body: '{}', headers: json });
    assert.ok(shedding.isShedding);
    await until(() => !shedding.isShedding);
  }));

test('the connection of a refused request serves the next one', () =>
  withOvens(async ({ url, routeLimit }) => {
    routeLimit.load = { ...unloaded, limit: 0 };
    const refused = await send(url, { body: '{}', headers: json });
    routeLimit.load = unloaded;
    assert.equal([refused.status, (await send(url, { body: '{}', headers: json })).status], [503, 200]);
  }));

test('agents are refused from the refusal of anyone else until a while after it, and never keep themselves out', () =>
  withOvens(async ({ url, routeLimit, shedding }) => {
    const call = async () => (await send(url, { path: '/mcp', body: '{}', headers: json })).status;
    assert.is(await call(), 200);
    routeLimit.load = { ...unloaded, limit: 0 };
    assert.is((await send(url, { body: '{}', headers: json })).status, 503);
    routeLimit.load = unloaded;
    assert.is(await call(), 503);
    assert.is((await send(url, { body: '{}', headers: json })).status, 200, 'others are served');
    await until(async () => (await call()) === 200);
    assert.not.ok(shedding.isShedding);
  }));

test('while the event loop is blocked repeatedly requests are refused, but never health probes', () =>
  withOvens(async ({ url, shedding }) => {
    shedding.start();
    let isAsked = false;
    const siege = besieged(url, () => isAsked && shedding.shed > 0);
    for (const end = Date.now() + 30_000; shedding.shed === 0 && Date.now() < end;) await delay(10);
    const paths = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? '/health/live' : '/metrics?host=1'));
    const watched = await Promise.all(paths.map((path) => send(url, { method: 'GET', path })));
    assert.ok(watched.every(({ status }) => status === 200));
    isAsked = true;
    const statuses = await siege;
    assert.ok(statuses.includes(200), 'not all were refused');
    assert.is(statuses.filter((status) => status === 503).length, shedding.shed);
  }));

test('when the loop has time again nothing is refused', () =>
  withOvens(async ({ url, shedding }) => {
    shedding.start();
    await besieged(url, () => shedding.shed > 0);
    assert.ok(shedding.shed > 0);
    let inARow = 0;
    for (const end = Date.now() + 60_000; inARow < 50 && Date.now() < end;) {
      const { status } = await send(url, { body: '{}', headers: json });
      inARow = status === 200 ? inARow + 1 : 0;
    }
    assert.is(inARow, 50);
  }));

test('an idle host serves every request at once, whatever else is in flight', () => {
  const shedding = new Shedding({ size: 1 });
  const routeLimit = shedding.routeLimit();
  for (let n = 1; n <= 1_000; n++) {
    shedding.admit({ url: '/bread' } as never, {} as never, () => routeLimit.enter());
    assert.is(routeLimit.inFlight, n);
  }
  assert.is(shedding.shed, 0);
});
