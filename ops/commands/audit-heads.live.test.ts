import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { transientMessage } from '../../actors/transient-message.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Transport } from '../../contracts/transport.js';
import { newUuid } from '../../contracts/uuid.js';
import { chainHeadType } from '../../runtime/audit/chain.js';
import type { Database } from '../../runtime/database/database.js';
import { postgresInbox } from '../../runtime/inbox/postgres-inbox.js';
import type { ReceivedEnvelope } from '../../runtime/inbox/read-envelope.js';
import { receivedRecordOf } from '../../runtime/inbox/received-rows.js';
import { postgresOutbox } from '../../runtime/outbox/postgres-outbox.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { untilPasses } from '../../runtime/kit/until.js';
import { natsTransport } from '../../runtime/transport/nats-transport.js';
import { keyFromSeed, newSeed } from '../../runtime/trust/ed25519.js';
import { type SignedHead, signHead } from '../../runtime/trust/signed-head.js';
import { type StoreKey, storeKey } from '../../runtime/trust/store-key.js';
import { svcInProcess as svc } from '../testing/in-process-cli.js';
import { rewriteChain, tamperWith } from '../testing/tampered-log.js';

const test = suite('svc audit with signed heads');

const leaseMs = 60_000;
const minute = (n: number): string => new Date(Date.UTC(2026, 2, 1, 9, n)).toISOString();

interface Log {
  readonly url: string;
  readonly database: Database;
  readonly key: StoreKey;
  readonly grow: (count: number) => Promise<void>;
  /** The head at this position, signed at the minute of its position unless given. */
  readonly headAt: (position: number, at?: number, by?: StoreKey) => Promise<SignedHead>;
}

const history = { epoch: 1, forks: '', publishedTo: 900 };

const withLog = (body: (log: Log) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ url, connect, openStore }) => {
    const [store, database] = [openStore(), connect()];
    const key = await storeKey(database, {});
    const grow = async (count: number) => {
      for (let n = 0; n < count; n++) {
        const messageId = newUuid();
        const payload = { n, text: 'ü \\ "' };
        const envelope = {
          messageId,
          messageType: 'CommandAudited',
          payload,
          v: 1,
          timestamp: minute(0),
          streamId: SystemEventStreams.streamId,
        };
        await store.commit({ events: [], records: [{ envelope, publish: true }], expected: new Map() });
      }
    };
    const text = `SELECT encode(hash, 'hex') FROM svc_system_events WHERE stream_position = $1`;
    const headAt = async (position: number, at = position, by = key) => {
      const [[hash] = []] = await database.rows({ text, values: [position] });
      return signHead({ position, hash: hash ?? '', at: minute(at), history }, by);
    };
    await grow(6);
    await body({ url, database, key, grow, headAt });
  });

interface AtBroker extends Log {
  readonly announce: (...heads: readonly object[]) => Promise<void>;
  readonly verify: (...args: readonly string[]) => ReturnType<typeof svc>;
}

const withBroker = (body: (scene: AtBroker) => Promise<void>): Promise<void> =>
  withLog((log) =>
    withEmptyNats(async (nats) => {
      const transport: Transport = natsTransport({ url: nats, name: 'north' });
      const source = { host: 'north', store: log.key.storeId };
      try {
        await body({
          ...log,
          announce: async (...heads) => {
            for (const head of heads) {
              const message = transientMessage(chainHeadType, head, source);
              await untilPasses(() => transport.publish(message));
            }
          },
          verify: (...args) =>
            svc(['audit', 'verify', ...args], { DATABASE_URL: log.url, NATS_URL: nats, SVC_NAME: 'desk' }),
        });
      } finally {
        await transport.close();
      }
    }),
  );

test('verify compares the log with the signed heads at the broker, and says which', () =>
  withBroker(async ({ announce, verify, headAt }) => {
    await announce(await headAt(2), await headAt(5), await headAt(5, 30), await headAt(6));
    const { code, stdout, stderr } = await verify();
    assert.equal([code, stderr], [0, '']);
    assert.match(
      stdout,
      `.\nIt agrees with 3 signed heads at the broker, signed from ${minute(2)} to ${minute(6)}, up to record 6.\n`,
    );
    const json = JSON.parse((await verify('--json')).stdout) as Record<string, unknown>;
    const found = { source: 'nats', agreeing: 3, since: minute(2), until: minute(6), upTo: 6, refused: 0 };
    assert.equal([json['ok'], json['records'], json['heads']], [true, 6, [found]]);
  }));

test('a log whose end was cut off is noticed, also after its host went on and signed lower heads', () =>
  withBroker(async ({ url, announce, verify, headAt, grow }) => {
    await announce(await headAt(4), await headAt(6));
    await tamperWith(url, 'DELETE FROM svc_system_events WHERE stream_position > 4');
    assert.is((await svc(['audit', 'verify'], { DATABASE_URL: url })).code, 0, 'the chain itself is intact');
    const { code, stdout, stderr } = await verify();
    assert.equal([code, stdout], [1, '']);
    assert.match(
      stderr,
      `svc: The log denies a head that its store signed at ${minute(6)} (at the broker): record 6 is missing: the end of the log was cut off.\n`,
    );
    await announce(await headAt(4, 50));
    assert.is((await verify()).code, 1);
    await grow(4);
    await announce(await headAt(8, 51));
    const later = await verify('--json');
    const { ok, firstBroken } = JSON.parse(later.stdout) as Record<string, unknown>;
    assert.equal([later.code, ok, firstBroken], [1, false, 6]);
  }));

test('a log that was written again from the start is noticed', () =>
  withBroker(async ({ url, announce, verify, headAt }) => {
    await announce(await headAt(2), await headAt(6));
    await tamperWith(url, `UPDATE svc_system_events SET data = '{"n":9}' WHERE stream_position = 3`);
    await tamperWith(url, rewriteChain('svc_system_events'));
    assert.is((await svc(['audit', 'verify'], { DATABASE_URL: url })).code, 0, 'the chain itself is intact');
    const { code, stderr } = await verify();
    assert.is(code, 1);
    assert.match(stderr, `signed at ${minute(6)} (at the broker): record 6 has another hash`);
  }));

test('forged heads, those of other stores, garbage and a replayed one do not mislead it', () =>
  withBroker(async ({ announce, verify, headAt, key }) => {
    const forger = { ...key, ...keyFromSeed(newSeed()) };
    const real = await headAt(5);
    const forged = signHead({ position: 900, hash: '00'.repeat(32), at: minute(59), history }, forger);
    const ofAnother = signHead(
      { position: 901, hash: '00'.repeat(32), at: minute(59), history },
      { ...key, storeId: newUuid() },
    );
    const garbage = { ...real, position: 902, signature: '07'.repeat(64) };
    await announce(forged, real, ofAnother, garbage, { position: 903 }, await headAt(6), real);
    const { code, stdout } = await verify();
    assert.is(code, 0);
    assert.match(stdout, 'It agrees with 3 signed heads at the broker');
    assert.match(
      stdout,
      '\n2 heads at the broker have the name of the store and were not signed with its key',
    );
  }));

test('without a signed head outside the store, verify says on one line what does not show, and how to get heads', () =>
  withBroker(async ({ url, verify }) => {
    const none =
      /\nNo signed head outside this store was found: .* if its end was cut off, or all of it written again, that does not show; .*SVC_BROADCAST=1.*--against[^\n]*\n$/;
    assert.match((await verify()).stdout, none);
    assert.match((await svc(['audit', 'verify'], { DATABASE_URL: url })).stdout, none);
    const away = { DATABASE_URL: url, NATS_URL: 'nats://127.0.0.1:1' };
    const { code, stdout } = await svc(['audit', 'verify'], away);
    assert.is(code, 0);
    assert.match(stdout, /\nThe broker could not be asked for signed heads: [^\n]+\.\nNo signed head/);
  }));

test('a replaced key of the store is noticed by the one in the environment', () =>
  withLog(async ({ url }) => {
    const env = { DATABASE_URL: url, SVC_SIGNING_KEY: newSeed().toString('base64') };
    const { code, stderr } = await svc(['audit', 'verify'], env);
    assert.is(code, 1);
    assert.match(stderr, /^svc: SVC_SIGNING_KEY is not the key that this store records: .*\n$/);
  }));

test('signed heads verify across a rotation of the key, and the old key counts up to its position', () =>
  withBroker(async ({ url, database, announce, verify, headAt, key }) => {
    const heads = async (position: number, publishedTo: number, by: StoreKey) =>
      signHead({ ...(await headAt(position)), history: { ...history, publishedTo } }, by);
    await announce(await heads(2, 2, key), await heads(5, 6, key));
    const rotate = ['store', 'rotate-key', '--reason', 'yearly'] as const;
    assert.is((await svc(rotate, { DATABASE_URL: url })).code, 0);
    const next = await storeKey(database, {});
    await announce(await heads(7, 7, next), await heads(6, 8, key));
    const { code, stdout } = await verify();
    assert.is(code, 0);
    assert.match(stdout, 'It agrees with 3 signed heads at the broker');
    assert.match(
      stdout,
      '\n1 heads at the broker have the name of the store and were not signed with its key',
    );
  }));

interface AtMonitor extends Log {
  /** The store of the monitor, which has received everything. */
  readonly monitor: { readonly DATABASE_URL: string };
  /** The heads that the monitor keeps. */
  readonly file: string;
}

const withMonitor = (body: (scene: AtMonitor) => Promise<void>): Promise<void> =>
  withLog((log) =>
    withMigratedDatabase(({ url, connect }) =>
      withFolder(async (folder) => {
        const outbox = postgresOutbox(log.database, newUuid(), log.key.storeId);
        const page = await outbox.page(0, 6);
        const inbox = postgresInbox(connect(), newUuid());
        await inbox.acquireLease(leaseMs);
        const records = page.map(({ envelope }) => receivedRecordOf(envelope as ReceivedEnvelope, false));
        await inbox.storeRecords(records, leaseMs);
        for (const position of [3, 6]) {
          const proof = await log.headAt(position);
          assert.is(await inbox.storeHead(log.key.storeId, { ...proof, proof }, leaseMs), 'kept');
        }
        const monitor = { DATABASE_URL: url };
        const file = join(folder, 'heads.jsonl');
        await writeFile(file, (await svc(['audit', 'export', '--heads'], monitor)).stdout);
        await body({ ...log, monitor, file });
      }),
    ),
  );

test('the heads that a monitor keeps are exported, and verify a log that the monitor cannot reach', () =>
  withMonitor(async ({ url, file, monitor, headAt, key }) => {
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    assert.equal(
      lines.map((line) => JSON.parse(line) as unknown),
      [await headAt(3), await headAt(6)],
    );
    const one = await svc(['audit', 'export', '--heads', '--origin', key.storeId], monitor);
    assert.is(one.stdout, await readFile(file, 'utf8'));
    const none = await svc(['audit', 'export', '--heads', '--origin', newUuid()], monitor);
    assert.equal([none.code, none.stdout], [0, '']);
    assert.match(none.stderr, 'No signed head is kept here; a monitor keeps those of other stores');
    const against = () => svc(['audit', 'verify', '--against', file], { DATABASE_URL: url });
    const good = await against();
    assert.equal([good.code, good.stderr], [0, '']);
    assert.match(good.stdout, `It agrees with 2 signed heads in ${file}, signed from`);
    await tamperWith(url, 'DELETE FROM svc_system_events WHERE stream_position > 4');
    const cut = await against();
    assert.is(cut.code, 1);
    assert.match(cut.stderr, 'record 6 is missing: the end of the log was cut off');
  }));

test('a file of heads that was altered, is of another store or has a line of something else is refused', () =>
  withMonitor(async ({ url, file }) => {
    const text = await readFile(file, 'utf8');
    const against = async (content: string) => {
      await writeFile(file, content);
      const { code, stderr } = await svc(['audit', 'verify', '--against', file], { DATABASE_URL: url });
      assert.is(code, 1);
      assert.match(stderr, /^svc: [^\n]+\n$/);
      return stderr;
    };
    assert.match(
      await against(text.replace('"position":3', '"position":4')),
      '1 heads of this store that its key did not sign',
    );
    assert.match(
      await against(text.replaceAll(/"store":"[^"]+"/g, `"store":"${newUuid()}"`)),
      'contains no head of store',
    );
    assert.match(await against(`${text}{}\n`), /^svc: Line 3 of .* is not a signed head/);
  }));

test('a key that was replaced together with the log is noticed by exported heads', () =>
  withMonitor(async ({ url, file }) => {
    const publicKey = keyFromSeed(newSeed()).publicKey.toString('hex');
    await tamperWith(url, `UPDATE svc_store SET public_key = '\\x${publicKey}'`);
    const { code, stderr } = await svc(['audit', 'verify', '--against', file], { DATABASE_URL: url });
    assert.is(code, 1);
    assert.match(stderr, 'the file was altered, or the key of the store was replaced');
  }));

test('a monitor verifies what it received against the heads that it keeps', () =>
  withMonitor(async ({ monitor, key }) => {
    const verify = () => svc(['audit', 'verify', '--origin', key.storeId], monitor);
    const good = await verify();
    assert.equal([good.code, good.stderr], [0, '']);
    assert.match(good.stdout, 'It agrees with 2 signed heads kept here');
    const table = 'svc_received_system_events';
    await tamperWith(monitor.DATABASE_URL, `UPDATE ${table} SET data = '{"n":9}' WHERE stream_position = 2`);
    await tamperWith(monitor.DATABASE_URL, rewriteChain(table, 'origin = 1', 'true'));
    await tamperWith(monitor.DATABASE_URL, 'UPDATE svc_origins SET head_position = NULL, head_hash = NULL');
    const bad = await verify();
    assert.is(bad.code, 1);
    assert.match(bad.stderr, `signed at ${minute(3)} (kept here): record 3 has another hash`);
  }));
