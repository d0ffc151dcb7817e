import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { withDatabase } from '../kit/database.js';
import { withTimeout } from '../lang/with-timeout.js';
import { openDatabase } from './database.js';
import { mustKeepSessions } from './must-keep-sessions.js';

const test = suite('sessions of their own');

/**
 * A proxy like PgBouncer in transaction mode with a pool of one: every client seems to have a session, and all use the
 * connection of the first one, which passed its startup options.
 */
async function withTransactionPooler(to: string, body: (pooled: string) => Promise<void>): Promise<void> {
  const { hostname, port } = new URL(to);
  const upstream = connect(Number(port || 5432), hostname);
  const pool = new SharedConnection(upstream);
  const sockets: Socket[] = [upstream];
  const server = createServer((client) => {
    sockets.push(client);
    client.on('error', () => undefined);
    pool.add(client);
  });
  upstream.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pooled = new URL(to);
  pooled.hostname = '127.0.0.1';
  pooled.port = String((server.address() as AddressInfo).port);
  try {
    await body(pooled.href);
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** The types of messages, as the protocol names them. */
const [query, sync, terminate, ready] = ['Q', 'S', 'X', 'Z'];

class SharedConnection {
  #isFirst = true;
  /** What the server sent to the first client when it had logged in. */
  #greeting = Buffer.alloc(0);
  #isGreeted = false;
  #owner: Socket | undefined;
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly upstream: Socket) {
    readMessages(upstream, (message) => {
      const type = typeOf(message);
      if (!this.#isGreeted) this.#greet(type, message);
      this.#owner?.write(message);
      if (type !== ready || String.fromCharCode(message[5] ?? 0) !== 'I') return;
      this.#owner = undefined;
      this.#waiting.shift()?.();
    });
  }

  add(client: Socket): void {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    client.once('data', (startup) => {
      if (isFirst) {
        this.#owner = client;
        this.upstream.write(startup);
      } else client.write(this.#greeting);
      let batch: Buffer[] = [];
      readMessages(client, (message) => {
        if (typeOf(message) === terminate) return;
        // The rest of the first login.
        if (!this.#isGreeted) return void this.upstream.write(message);
        batch.push(message);
        if (![query, sync].includes(typeOf(message))) return;
        this.#send(client, Buffer.concat(batch));
        batch = [];
      });
    });
  }

  #send(client: Socket, bytes: Buffer): void {
    const send = (): void => {
      this.#owner = client;
      this.upstream.write(bytes);
    };
    if (this.#owner === undefined || this.#owner === client) send();
    else this.#waiting.push(send);
  }

  /** Logins have type R; only the last one, of a login that succeeded, is repeated. */
  #greet(type: string, message: Buffer): void {
    const isLoginStep = type === 'R' && message.readInt32BE(5) !== 0;
    if (!isLoginStep) this.#greeting = Buffer.concat([this.#greeting, message]);
    this.#isGreeted = type === ready;
  }
}

const typeOf = (message: Buffer): string => String.fromCharCode(message[0] ?? 0);

/** Each has a type of one byte, then its length without the type. */
function readMessages(socket: Socket, each: (message: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length >= 1 + rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1);
      each(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  });
}

const checked = async (url: string): Promise<string> => {
  const database = openDatabase({ url });
  try {
    return await mustKeepSessions(database).then(
      () => 'fine',
      (problem: Problem) => `${problem.code}: ${problem.detail}`,
    );
  } finally {
    await database.close();
  }
};

test('a server that gives every session its own connection is accepted', () =>
  withDatabase(async (url) => {
    assert.is(await checked(url), 'fine');
  }));

test('the first session is given back when there is no second one', () =>
  withDatabase(async (url) => {
    const database = openDatabase({ url });
    const sessions = [() => database.session(), () => Promise.reject(new Problem('store-unavailable'))];
    const session = () => sessions.shift()?.() ?? Promise.reject(new Problem('unexpected'));
    const failed = await mustKeepSessions({ session }).catch((problem: Problem) => problem.code);
    assert.is(failed, 'store-unavailable');
    await withTimeout(5_000, database.close());
  }));

test('a proxy that pools transactions is rejected with its remedy, although it passes startup options', () =>
  withDatabase((url) =>
    withTransactionPooler(url, async (pooled) => {
      assert.match(await checked(pooled), /^invalid-setup: .* pools transactions.*such as HAProxy/);
    }),
  ));
