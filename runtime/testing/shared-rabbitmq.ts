import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { claim } from './claim.js';
import { type NetworkProxy, withProxy } from './network-proxy.js';
import { isReady, withRabbitMq } from './rabbitmq-server.js';
import { withFolder } from '../kit/temporary-folder.js';
import { until } from '../kit/until.js';

/** One broker for a whole test run, and where its virtual hosts are claimed. */
interface SharedRabbitMq {
  readonly url: string;
  readonly claims: string;
}

const virtualHosts = 32;
const nameOf = (number: number): string => `test${number}`;

/** A password as RabbitMQ stores it: a salt, and the hash of both. */
function hashed(password: string): string {
  const salt = Buffer.from('salt');
  const hash = createHash('sha256').update(salt).update(password).digest();
  return Buffer.concat([salt, hash]).toString('base64');
}

/** With definitions of its own a broker has nothing else, not even its guest. */
function definitions(): string {
  const vhosts = Array.from({ length: virtualHosts }, (_, number) => ({ name: nameOf(number) }));
  const all = { user: 'guest', configure: '.*', write: '.*', read: '.*' };
  return JSON.stringify({
    users: [{ name: 'guest', password_hash: hashed('guest'), tags: ['administrator'] }],
    vhosts,
    permissions: vhosts.map(({ name }) => ({ ...all, vhost: name })),
  });
}

/** It may still be starting, which takes seconds. */
export const withSharedRabbitMq = (body: (shared: SharedRabbitMq) => Promise<void>): Promise<void> =>
  withFolder(async (folder) => {
    const [path, claims] = [join(folder, 'definitions.json'), join(folder, 'claims')];
    await writeFile(path, definitions());
    await mkdir(claims);
    const settings = `load_definitions = ${path}\n`;
    await withRabbitMq(({ url }) => body({ url, claims }), { settings, early: true });
  });

/** Provides a virtual host of the shared broker, or a separate broker, behind a proxy: cut, it looks stopped. */
export async function withAmqp(body: (broker: NetworkProxy) => Promise<void>): Promise<void> {
  const virtualHost = await claimedVirtualHost();
  if (virtualHost === undefined) return withRabbitMq(({ url }) => withProxy(url, body));
  const port = Number(new URL(virtualHost).port);
  await until(() => isReady(port), 120_000);
  return withProxy(virtualHost, body);
}

async function claimedVirtualHost(): Promise<string | undefined> {
  const [shared, claims] = [process.env['SVC_TEST_AMQP_URL'], process.env['SVC_TEST_AMQP_CLAIMS']];
  if (!shared || !claims) return undefined;
  const number = await claim(claims, virtualHosts);
  return number === undefined ? undefined : `${shared}/${nameOf(number)}`;
}
