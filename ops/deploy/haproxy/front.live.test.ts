import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { until } from '../../../runtime/kit/until.js';
import { type HaproxyServer, withHaproxy } from '../../testing/haproxy-server.js';
import { haproxyConfigOf } from './config.js';
import { Front } from './front.js';
import { HaproxyTarget } from './haproxy-target.js';

const test = suite('haproxy front');

const { signal } = new AbortController();

/** Two servers that answer everything with the name of their slot, without the hosts of a service. */
interface Scene {
  readonly haproxy: HaproxyServer;
  readonly front: Front;
  readonly target: HaproxyTarget;
  readonly stop: (slot: 'blue' | 'green') => Promise<void>;
}

const withServers = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withHaproxy(async (haproxy) => {
    // Without "state" a restart forgets the weights.
    const { state: _, ...settings } = haproxy.config;
    const config = haproxyConfigOf(settings, haproxy.folder);
    const [blue, green] = config.slots;
    const servers = { blue: await serving(blue.port, '1.0.0'), green: await serving(green.port, '2.0.0') };
    const sides = {
      old: { slot: blue, revision: '1.0.0', supervisor: undefined },
      new: { slot: green, revision: '2.0.0', supervisor: undefined },
    };
    const front = new Front(config);
    const target = new HaproxyTarget(front, sides, async () => undefined);
    await target.setWeights(0, signal);
    await untilUp(haproxy, 2);
    const stop = async (slot: 'blue' | 'green'): Promise<void> => stopped(servers[slot]);
    try {
      await body({ haproxy, front, target, stop });
    } finally {
      await Promise.all(Object.values(servers).map(stopped));
    }
  });

async function serving(port: number, answer: string): Promise<Server> {
  const server = createServer(({ url }, response) => {
    if (url === '/stream') response.write(answer);
    else response.end(answer);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function stopped(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

const untilUp = (haproxy: HaproxyServer, count: number): Promise<number> =>
  until(async () => {
    const text = await haproxy.command('show stat orders 4 -1');
    return text.split('\n').filter((line) => line.includes(',UP,')).length === count;
  });

const ask = async (url: string, headers: Record<string, string> = {}): Promise<string> => {
  const answer = await fetch(url, { headers });
  return answer.ok ? answer.text() : String(answer.status);
};

const askAll = async (url: string, count: number): Promise<ReadonlySet<string>> => {
  const answers = new Set<string>();
  for (let n = 0; n < count; n++) answers.add(await ask(url));
  return answers;
};

test('weights and the map of x-canary are set again after HAProxy restarted', () =>
  withServers(async ({ haproxy, target }) => {
    assert.is((await target.observe(signal)).toNew, 0);
    await haproxy.stop();
    await haproxy.start();
    assert.is((await target.observe(signal)).toNew, 0, 'before the first stage');
    await untilUp(haproxy, 2);
    assert.equal([...(await askAll(haproxy.url, 20))], ['1.0.0']);

    await target.force(true, signal);
    await target.setWeights(25, signal);
    await target.observe(signal);
    await haproxy.stop();
    await haproxy.start();
    assert.is((await target.observe(signal)).toNew, 25);
    await untilUp(haproxy, 2);
    assert.is(await ask(haproxy.url, { 'x-canary': 'always' }), '2.0.0');
    assert.is(await ask(haproxy.url, { 'x-canary': 'never' }), '1.0.0');
  }));

test('requests that no server could answer count against the new revision while it has all of them', () =>
  withServers(async ({ haproxy, target, stop }) => {
    await target.switch('new', signal);
    const before = await target.observe(signal);
    await stop('green');
    await untilUp(haproxy, 1);
    assert.equal([...(await askAll(haproxy.url, 30))], ['503']);
    const after = await target.observe(signal);
    assert.ok(after.new.errors - before.new.errors >= 30, JSON.stringify(after.new));
    assert.ok(after.new.requests - before.new.requests >= 30);
    assert.is(after.old.errors, before.old.errors);
    await target.switch('old', signal);
    assert.equal([...(await askAll(haproxy.url, 10))], ['1.0.0']);
    const back = await target.observe(signal);
    assert.is(back.new.errors, after.new.errors);
  }));

test('a stream that a client keeps open does not hold a drain up forever', () =>
  withServers(async ({ haproxy, front, target }) => {
    const ended = new AbortController();
    const open = await fetch(`${haproxy.url}/stream`, { signal: ended.signal });
    assert.is(open.status, 200);
    const begun = performance.now();
    assert.is(await front.untilIdle('blue', signal, 300), 1, 'one is still open');
    assert.ok(performance.now() - begun >= 300, 'it waits first');
    assert.is(await front.untilIdle('green', signal), 0);
    // Less than what a drain waits where its step has enough time.
    await target.drain('old', AbortSignal.timeout(25_000), 100);
    ended.abort();
  }));

test('a "state" that names a folder is refused in one line', () =>
  withHaproxy(async (haproxy) => {
    const state = join(haproxy.folder, 'states');
    await mkdir(state);
    const front = new Front(haproxyConfigOf({ ...haproxy.config, state }, haproxy.folder));
    const refusal = await front.setWeights([['blue', 100]], signal).catch((error: unknown) => String(error));
    assert.is(
      refusal,
      `Problem: The file ${state} cannot be written (EISDIR); correct "state" in deploy.json, or its permissions.`,
    );
  }));
