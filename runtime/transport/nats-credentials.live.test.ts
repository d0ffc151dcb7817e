import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect, nkeys } from 'nats';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Transport } from '../../contracts/transport.js';
import { log } from '../logging/log.js';
import { accountOf } from '../testing/nats-accounts.js';
import { withNatsServer } from '../testing/nats-server.js';
import { program } from '../testing/installed-program.js';
import { isReachable } from '../testing/reachable.js';
import { withFolder } from '../kit/temporary-folder.js';
import { aMessage, failureOf, Inbox } from '../kit/transport-contract.js';
import { until } from '../kit/until.js';
import type { NatsCredentials } from './nats-credentials.js';
import { hostPermissions, monitorPermissions } from './nats-permissions.js';
import { natsTransport } from './nats-transport.js';

const test = suite('credentials for NATS');

/** Why the last transport could not connect. */
const reasons: string[] = [];
log.warn = (facts: unknown) => void reasons.push(String((facts as { readonly reason?: unknown }).reason));

const rejected = /^it rejected the credentials/;

/** A broker with this configuration, and files beside it. */
const withBroker = (
  configure: (folder: string) => Promise<string>,
  body: (url: string, folder: string) => Promise<void>,
): Promise<void> =>
  withFolder(async (folder) => {
    const path = join(folder, 'nats.conf');
    await writeFile(path, await configure(folder));
    await withNatsServer(({ url }) => body(url, folder), ['-c', path]);
  });

async function withTransport(
  url: string,
  credentials: NatsCredentials,
  body: (transport: Transport) => Promise<void>,
): Promise<void> {
  reasons.length = 0;
  const transport = natsTransport({ url, name: 'north', credentials });
  try {
    await body(transport);
  } finally {
    await transport.close();
  }
}

async function mustExchange(transport: Transport): Promise<void> {
  await until(() => isReachable(transport));
  const message = aMessage();
  const inbox = new Inbox([message.destination]);
  transport.subscribe(inbox);
  await transport.publish(message);
  assert.is((await inbox.holds(1)).length, 1);
}

/** It has tried, says why it cannot connect, and keeps on trying. */
async function mustStayOut(transport: Transport, reason = /./): Promise<void> {
  await until(() => reasons.some((one) => reason.test(one)));
  assert.not(await isReachable(transport));
}

const users = (list: string): string => `authorization { users = [ ${list} ] }\n`;
const ada = users('{ user: ada, password: "p@ss word" }');

test('a user and a password admit', () =>
  withBroker(
    async () => ada,
    async (url) => {
      await withTransport(url, { user: 'ada', password: 'p@ss word' }, mustExchange);
      await withTransport(url, { user: 'ada', password: 'guessed' }, (transport) =>
        mustStayOut(transport, rejected),
      );
    },
  ));

test('a token admits', () =>
  withBroker(
    async () => 'authorization { token: "a token" }\n',
    (url) => withTransport(url, { token: 'a token' }, mustExchange),
  ));

test('an nkey in a file admits, and one that is replaced is used by the next connection', () => {
  const [known, unknown] = [nkeys.createUser(), nkeys.createUser()];
  const seedOf = (key: typeof known): string => `${Buffer.from(key.getSeed()).toString('utf8')}\n`;
  return withBroker(
    async () => users(`{ nkey: ${known.getPublicKey()} }`),
    async (url, folder) => {
      const nkeyFile = join(folder, 'seed');
      await writeFile(nkeyFile, seedOf(unknown));
      await withTransport(url, { nkeyFile }, async (transport) => {
        await mustStayOut(transport, rejected);
        await writeFile(nkeyFile, seedOf(known));
        await mustExchange(transport);
      });
    },
  );
});

test('a credentials file of an account admits', () => {
  const { config, creds } = accountOf('ada');
  return withBroker(
    async () => config,
    async (url, folder) => {
      const credsFile = join(folder, 'ada.creds');
      await writeFile(credsFile, creds);
      await withTransport(url, { credsFile }, mustExchange);
    },
  );
});

const openssl = async (...args: string[]) => promisify(execFile)(await program('openssl'), args);

/** An authority, and certificates that it signed for the broker and for a client. */
async function makeCertificates(folder: string): Promise<string> {
  const at = (name: string): string => join(folder, name);
  const key = ['-newkey', 'rsa:2048', '-nodes'];
  await openssl('req', '-x509', ...key, '-keyout', at('ca.key'), '-out', at('ca.pem'), '-subj', '/CN=ca');
  await writeFile(at('san'), 'subjectAltName = DNS:localhost, IP:127.0.0.1\n');
  for (const name of ['broker', 'client']) {
    const request = at(`${name}.csr`);
    await openssl('req', ...key, '-keyout', at(`${name}.key`), '-out', request, '-subj', `/CN=${name}`);
    const by = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-extfile', at('san')];
    await openssl('x509', '-req', '-in', request, ...by, '-out', at(`${name}.pem`));
  }
  const files = { cert_file: at('broker.pem'), key_file: at('broker.key'), ca_file: at('ca.pem') };
  return `tls { ${Object.entries(files)
    .map(([name, path]) => `${name}: "${path}"`)
    .join(', ')}, verify: true }\n`;
}

test('TLS needs the authority of the broker, and where the broker asks for it the certificate of the host', () =>
  withBroker(makeCertificates, async (url, folder) => {
    const [tlsCa, tlsCert, tlsKey] = ['ca.pem', 'client.pem', 'client.key'].map((name) => join(folder, name));
    await withTransport(url, { tlsCa, tlsCert, tlsKey }, mustExchange);
    await withTransport(url, { tlsCa }, (transport) => mustStayOut(transport));
    await withTransport(url, { tlsCert, tlsKey }, (transport) => mustStayOut(transport));
  }));

const permitted = (name: string, permissions: object): string =>
  `{ user: ${name}, password: x, permissions: ${JSON.stringify(permissions)} }`;

/** Whether a host may read a subject without the streams; the broker refuses before it answers the flush. */
async function maySubscribe(url: string, user: string, subject: string): Promise<boolean> {
  const connection = await connect({ servers: new URL(url).host, user, pass: 'x' });
  try {
    let isRefused = false;
    connection.subscribe(subject, { callback: (error) => (isRefused ||= error !== null) });
    await connection.flush();
    return !isRefused;
  } finally {
    await connection.close();
  }
}

test('hosts and monitors with the least permissions subscribe to answers only', () =>
  withBroker(
    async () =>
      users(`${permitted('monitor', monitorPermissions())}, ${permitted('shop', hostPermissions(['Sold']))}`),
    async (url) => {
      for (const user of ['shop', 'monitor']) {
        for (const subject of ['>', 'svc.>', 'svc.events.Sold', '$JS.API.>', '$SYS.>'])
          assert.not(await maySubscribe(url, user, subject), `${user} ${subject}`);
        assert.ok(await maySubscribe(url, user, '_INBOX.x'), user);
      }
    },
  ));

test('a host with the least permissions publishes its own events and no others, and receives', () => {
  const own = aMessage();
  const type = own.destination.replace('svc.events.', '');
  return withBroker(
    async () => users(permitted('shop', hostPermissions([type]))),
    (url) =>
      withTransport(url, { user: 'shop', password: 'x' }, async (transport) => {
        await until(() => isReachable(transport));
        const inbox = new Inbox([own.destination]);
        transport.subscribe(inbox);
        await transport.publish(own);
        assert.is((await inbox.holds(1)).length, 1);
        assert.ok(await failureOf(transport.publish(aMessage())), 'an event of another service');
      }),
  );
});

test('a credentials file with the least permissions admits to the same', () => {
  const own = aMessage();
  const { config, creds } = accountOf('shop', hostPermissions([own.destination.replace('svc.events.', '')]));
  return withBroker(
    async () => config,
    async (url, folder) => {
      const credsFile = join(folder, 'shop.creds');
      await writeFile(credsFile, creds);
      await withTransport(url, { credsFile }, async (transport) => {
        await until(() => isReachable(transport));
        const inbox = new Inbox([own.destination]);
        transport.subscribe(inbox);
        await transport.publish(own);
        assert.is((await inbox.holds(1)).length, 1);
        assert.ok(await failureOf(transport.publish(aMessage())), 'an event of another service');
      });
    },
  );
});

test('a monitor with the least permissions reads system messages, and publishes no domain event', () =>
  withBroker(
    async () =>
      users(`${permitted('monitor', monitorPermissions())}, ${permitted('shop', hostPermissions([]))}`),
    async (url) => {
      await withTransport(url, { user: 'shop', password: 'x' }, async (shop) => {
        await withTransport(url, { user: 'monitor', password: 'x' }, async (monitor) => {
          await until(() => isReachable(shop));
          await until(() => isReachable(monitor));
          const message = { ...aMessage(), destination: 'svc.system.CommandFailed' };
          const inbox = new Inbox(['svc.system.>', 'svc.core.auditevents']);
          monitor.subscribe(inbox);
          await shop.publish(message);
          assert.is((await inbox.holds(1)).length, 1);
          assert.ok(await failureOf(monitor.publish(aMessage())), 'a domain event');
        });
      });
    },
  ));

test('a file that cannot be read is a reason to wait, not to end', () => {
  const { config, creds } = accountOf('ada');
  return withBroker(
    async () => config,
    async (url, folder) => {
      const credsFile = join(folder, 'missing.creds');
      await withTransport(url, { credsFile }, async (transport) => {
        await mustStayOut(transport, /NATS_CREDS names a file that cannot be read \(ENOENT\)/);
        await writeFile(credsFile, creds);
        await mustExchange(transport);
      });
    },
  );
});
