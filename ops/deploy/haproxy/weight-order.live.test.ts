import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { type HaproxyServer, withHaproxy } from '../../testing/haproxy-server.js';
import { haproxyConfigOf } from './config.js';
import { Front } from './front.js';
import { HaproxyTarget } from './haproxy-target.js';
import { serverStatsIn } from './server-stats.js';

const test = suite('order of the weights');

const { signal } = new AbortController();

/** The weights that HAProxy has after a command that sets one. */
interface Moment {
  readonly command: string;
  readonly blue: number;
  readonly green: number;
}

async function weightsOf(haproxy: HaproxyServer): Promise<Omit<Moment, 'command'>> {
  const servers = serverStatsIn(await haproxy.command('show stat orders 4 -1'), 'orders');
  const of = (name: string): number => servers.find((server) => server.name === name)?.weight ?? NaN;
  return { blue: of('blue'), green: of('green') };
}

/** Passes commands on to HAProxy; before it answers, notes which weights are in force. */
async function withRecorder(
  haproxy: HaproxyServer,
  body: (target: HaproxyTarget, moments: Moment[]) => Promise<void>,
): Promise<void> {
  const moments: Moment[] = [];
  const socket = join(haproxy.folder, 'recorder.sock');
  const pass = async (command: string): Promise<string> => {
    const answer = await haproxy.command(command);
    if (command.includes(' weight ')) moments.push({ command, ...(await weightsOf(haproxy)) });
    return answer === '' ? '\n' : `${answer}\n\n`;
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    let received = '';
    client.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    client.on('end', () => void pass(received.trim()).then((answer) => client.end(answer)));
  }).listen(socket);
  await once(server, 'listening');
  const { state: _, ...settings } = haproxy.config;
  const config = haproxyConfigOf({ ...settings, socket }, haproxy.folder);
  const [old, next] = config.slots.map((slot) => ({ slot, revision: slot.name, supervisor: undefined }));
  assert.ok(old && next);
  try {
    await body(new HaproxyTarget(new Front(config), { old, new: next }, async () => undefined), moments);
  } finally {
    server.close();
  }
}

test('the weight of the target is raised before that of the source is lowered: both never add up to less than 100', () =>
  withHaproxy((haproxy) =>
    withRecorder(haproxy, async (target, moments) => {
      await target.setWeights(0, signal);
      moments.length = 0;
      await target.setWeights(10, signal);
      assert.equal(moments, [
        { command: 'set server orders/green weight 10', blue: 100, green: 10 },
        { command: 'set server orders/blue weight 90', blue: 90, green: 10 },
      ]);
      moments.length = 0;
      await target.setWeights(0, signal);
      assert.equal(moments, [
        { command: 'set server orders/blue weight 100', blue: 100, green: 10 },
        { command: 'set server orders/green weight 0', blue: 100, green: 0 },
      ]);
      for (const toNew of [10, 25, 50, 75, 100, 50, 75, 25, 0]) await target.setWeights(toNew, signal);
      for (const to of ['new', 'old', 'new'] as const) await target.switch(to, signal);
      await target.drain('old', signal);
      assert.ok(moments.length > 24);
      assert.equal(
        moments.filter(({ blue, green }) => !(blue + green >= 100)),
        [],
      );
    }),
  ));
