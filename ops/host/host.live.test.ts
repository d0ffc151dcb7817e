import { type AddressInfo, createServer } from 'node:net';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { CommandEndpoint } from '../../contracts/command-endpoint.js';
import { Command, Event } from '../../contracts/message.js';
import type { Dispatcher, Receptor } from '../../contracts/receptor.js';
import type { Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { object, uuid } from '../../contracts/codec.js';
import { endpoint, receptor } from '../../endpoints/registrations.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { RestMutationEndpointBase } from '../../endpoints/mutation-endpoint.js';
import { jsonOf, post } from '../../endpoints/testing/http-client.js';
import { connect } from '../../runtime/database/connect.js';
import { log } from '../../runtime/logging/log.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { until } from '../../runtime/kit/until.js';
import { withDatabase } from '../../runtime/kit/database.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { InProcessTransport } from '../../runtime/transport/in-process-transport.js';
import { type Config, readConfig } from '../config/config.js';
import { type Host, startHost } from './host.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { svc } from '../testing/spawned-host.js';

const test = suite('host');

class BookAdded extends Event {}

@CommandEndpoint<AddBook, unknown>({ restRoute: '/books' })
class AddBook extends Command {
  shelf!: Uuid;
}

class AddBookEndpoint extends RestMutationEndpointBase<AddBook, unknown> {
  constructor(private readonly dispatcher: Dispatcher) {
    super();
  }

  protected override dispatchCommand(command: AddBook, signal: AbortSignal) {
    return this.dispatcher.localInvoke(command, signal);
  }
}

const addBook: Receptor<AddBook, unknown> = {
  handle: async ({ shelf: on }, work) => {
    let books = 1;
    for await (const _ of work.read(on)) books++;
    work.append(on, new BookAdded());
    return { books };
  },
};

const library = (receptors = [receptor(AddBook, addBook)]): ServiceDefinition => ({
  name: 'library',
  create: (dispatcher) => ({
    endpoints: [
      endpoint({
        command: AddBook,
        endpoint: new AddBookEndpoint(dispatcher),
        decode: (value, path, faults) =>
          AddBook.of({ shelf: uuid(object(value, path, faults)?.['shelf'], `${path}/shelf`, faults) }),
      }),
    ],
    receptors,
  }),
});

const configFor = (url: string, more: Record<string, string> = {}): Config =>
  readConfig({ SVC_PORT: '0', SVC_NAME: 'host-test', DATABASE_URL: url, ...more });

async function whileRunning<T>(starting: Promise<Host>, body: (host: Host) => Promise<T>): Promise<T> {
  const host = await starting;
  try {
    return await body(host);
  } finally {
    await host.stop();
  }
}

/** For tests that leave no host running. */
const inStore = sharedIn(test, withStore);

const booksAfterOneMore = (host: Host, shelf = newUuid()) =>
  post(host.url, { shelf }, { path: '/books' }).then(jsonOf);

const connectionsTo = async (url: string): Promise<number> => {
  const client = await connect(url);
  const { rows } = await client.query<{ n: string }>(
    "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'",
  );
  await client.end();
  return Number(rows[0]?.n);
};

/** A server notices a moment later that a client has left; an idle one leaves by itself, but after 30 s. */
const nobodyIsConnected = (url: string): Promise<number> =>
  until(async () => (await connectionsTo(url)) === 0, 10_000);

test('a host serves its commands, and the next host on the same database finds what it stored', () =>
  inStore(async (url) => {
    const shelf = newUuid();
    await whileRunning(startHost(library(), configFor(url)), async (host) => {
      assert.equal(await booksAfterOneMore(host, shelf), { books: 1 });
    });
    await whileRunning(startHost(library(), configFor(url)), async (host) => {
      assert.equal(await booksAfterOneMore(host, shelf), { books: 2 });
    });
  }));

test('two hosts may start on an empty database at the same time', () =>
  withDatabase(async (url) => {
    const hosts = await Promise.all([1, 2, 3].map(() => startHost(library(), configFor(url))));
    for (const host of hosts)
      assert.is((await post(host.url, { shelf: newUuid() }, { path: '/books' })).status, 200);
    await Promise.all(hosts.map((host) => host.stop()));
  }));

test('a stopped host has released its port and all connections, and may be stopped twice', () =>
  inStore(async (url) => {
    const host = await startHost(library(), configFor(url));
    await booksAfterOneMore(host);
    await Promise.all([host.stop(), host.stop()]);
    await host.stop();
    const refused: unknown = await booksAfterOneMore(host).catch((error: unknown) => error);
    assert.is((refused as NodeJS.ErrnoException).code, 'ECONNREFUSED');
    await nobodyIsConnected(url);
  }));

test('a service is stopped once, after its last command, and the level of the log is the configured one', () =>
  inStore(async (url) => {
    const before = log.level;
    const notes: string[] = [];
    const slow: Receptor<AddBook, unknown> = {
      handle: async () => {
        notes.push('begun');
        await delay(100);
        notes.push('handled');
      },
    };
    const definition = { ...library([receptor(AddBook, slow)]), stop: () => void notes.push('stopped') };
    try {
      const host = await startHost(definition, configFor(url, { SVC_LOG: 'fatal' }));
      assert.is(log.level, 'fatal');
      const answer = post(host.url, { shelf: newUuid() }, { path: '/books' });
      await until(() => notes.length > 0);
      await Promise.all([host.stop(), host.stop()]);
      assert.ok((await answer).status < 300);
      assert.equal(notes, ['begun', 'handled', 'stopped']);
    } finally {
      log.level = before;
    }
  }));

const failureOf = async (starting: Promise<Host>): Promise<string> => {
  const error: unknown = await starting.then(
    async (host) => host.stop(),
    (thrown: unknown) => thrown,
  );
  assert.instance(error, Error);
  return (error as Error).message;
};

test('a command without a receptor is reported by name, and the connections are closed', () =>
  inStore(async (url) => {
    const failure = await failureOf(startHost(library([]), configFor(url)));
    assert.match(failure, /^No receptor handles AddBook;/);
    await nobodyIsConnected(url);
  }));

test('a command with two receptors is reported by name', () =>
  inStore(async (url) => {
    const two = [receptor(AddBook, addBook), receptor(AddBook, addBook)];
    assert.is(
      await failureOf(startHost(library(two), configFor(url))),
      'Command AddBook has two receptors; remove one.',
    );
    await nobodyIsConnected(url);
  }));

test('a port in use is reported by its number, and everything before it is undone', () =>
  inStore(async (url) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const failure = await failureOf(startHost(library(), configFor(url, { SVC_PORT: String(port) })));
    other.close();
    assert.match(failure, /in use/);
    assert.match(failure, String(port));
    await nobodyIsConnected(url);
  }));

test('a definition that throws is undone too', () =>
  inStore(async (url) => {
    const broken: ServiceDefinition = {
      name: 'broken',
      create: () => {
        throw new RangeError('no shelves');
      },
    };
    assert.is(await failureOf(startHost(broken, configFor(url))), 'no shelves');
    await nobodyIsConnected(url);
  }));

test('all actors of a host are in its tree, in start order', () =>
  inStore((url) =>
    whileRunning(startHost(library(), configFor(url)), (host) => {
      const order = ['database', 'store', 'service', 'dispatcher', 'transport', 'outbox-relay', 'http'];
      const names = host.tree.map(({ name }) => name);
      assert.equal(
        names.filter((name) => order.includes(name)),
        order,
      );
      assert.ok(host.tree.every(({ state, restarts }) => state === 'running' && restarts === 0));
      return Promise.resolve();
    }),
  ));

/** A transport on which the relay crashes once, between two rounds. */
class Pitfall extends InProcessTransport {
  falls = 0;

  override get hasSubscribers(): boolean {
    const isResting = new Error().stack?.includes('restMs') === true;
    if (isResting && this.falls++ === 0) throw new RangeError('a hole in the ground');
    return true;
  }
}

test('a part that crashes is contained, counted and restarted while the host serves', () =>
  inStore((url) =>
    whileRunning(startHost(library(), configFor(url), new Pitfall()), async (host) => {
      const relay = () => host.tree.find(({ name }) => name === 'outbox-relay');
      while (relay()?.restarts !== 1 || relay()?.state !== 'running') await delay(5);
      assert.is(relay()?.lastError, 'a hole in the ground');
      assert.equal(await booksAfterOneMore(host), { books: 1 });
    }),
  ));

test('svc reports a command without a receptor on one line, and exits with 1', () =>
  inStore((url) =>
    withFolder(async (folder) => {
      const file = join(folder, 'shop.mjs');
      const index = builtForProcess(new URL('../../index.js', import.meta.url));
      const endpoints = builtForProcess(new URL('../../endpoints/index.js', import.meta.url));
      await writeFile(
        file,
        `import { Command, CommandEndpoint, RestMutationEndpointBase } from '${index}';
import { endpoint } from '${endpoints}';
        class Sell extends Command {}
        CommandEndpoint({ restRoute: '/sell' })(Sell);
        class SellEndpoint extends RestMutationEndpointBase { dispatchCommand() {} }
        export default { name: 'shop', create: () => ({ receptors: [],
          endpoints: [endpoint({ command: Sell, endpoint: new SellEndpoint(), decode: () => new Sell() })] }) };`,
      );
      const { code, stderr } = await svc(['start', file], { DATABASE_URL: url });
      assert.is(code, 1);
      assert.match(stderr, /^svc: No receptor handles Sell;[^\n]+\n$/);
    }),
  ));
