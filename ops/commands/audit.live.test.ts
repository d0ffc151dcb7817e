import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { AuditingEventStore } from '../../runtime/audit/auditing-event-store.js';
import { digestOf, genesis, hashAfter } from '../../runtime/audit/chain.js';
import { connect } from '../../runtime/database/connect.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { postgresInbox } from '../../runtime/inbox/postgres-inbox.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { headSigner } from '../../runtime/testing/signed-heads.js';
import { svcInProcess as svc } from '../testing/in-process-cli.js';
import { startCli, svc as spawnSvc } from '../testing/spawned-host.js';

const test = suite('svc audit');

interface Ledger {
  readonly env: { readonly DATABASE_URL: string };
  record(type: string, data?: object): Promise<void>;
  tamper(sql: string): Promise<void>;
}

const withLedger = (body: (ledger: Ledger) => Promise<void>) =>
  withMigratedDatabase(async ({ url, openStore }) => {
    const store = openStore();
    const record = (messageType: string, payload: object = {}) =>
      store.commit({
        events: [],
        records: [
          { envelope: { messageId: newUuid(), messageType, payload, timestamp: '', v: 1 }, publish: false },
        ],
        expected: new Map(),
      });
    const tamper = async (sql: string) => {
      const owner = await connect(url);
      await owner.query('SET session_replication_role = replica');
      await owner.query(sql);
      await owner.end();
    };
    await body({ env: { DATABASE_URL: url }, record, tamper });
  });

const linesOf = (text: string): string[] => text.split('\n').slice(0, -1);
const recordsIn = (text: string) =>
  linesOf(text).map((line) => JSON.parse(line) as { position: number; eventType: string; data: object });

test('verify reports an intact chain with its head', () =>
  withLedger(async ({ env, record }) => {
    await record('CommandAudited');
    await record('CommandAudited');
    const result = await spawnSvc(['audit', 'verify'], env);
    assert.match(
      result.stdout,
      /^The chain is intact: 2 records, head 2 [0-9a-f]{64}\.\nNo signed head [^\n]+\n$/,
    );
    assert.equal([result.code, result.stderr], [0, '']);
  }));

test('verify --json prints { ok, records, head }, and a broken chain exits with 1', () =>
  withLedger(async ({ env, record, tamper }) => {
    for (let n = 0; n < 3; n++) await record('CommandAudited', { n });
    const good = await svc(['audit', 'verify', '--json'], env);
    const { ok, records, head, ...more } = JSON.parse(good.stdout) as Record<string, unknown>;
    assert.equal([good.code, ok, records, more], [0, true, 3, { heads: [] }]);
    assert.equal(Object.keys(head as object), ['position', 'hash']);
    await tamper(`UPDATE svc_system_events SET data = '{"n":7}' WHERE stream_position = 2`);
    const bad = await svc(['audit', 'verify', '--json'], env);
    const report = JSON.parse(bad.stdout) as Record<string, unknown>;
    assert.equal([bad.code, bad.stderr], [1, '']);
    assert.equal([report['ok'], report['firstBroken']], [false, 2]);
    const readable = await svc(['audit', 'verify'], env);
    assert.equal([readable.code, readable.stdout], [1, '']);
    assert.is(
      readable.stderr,
      'svc: The chain is broken at position 2; the 1 records before it are intact.\n',
    );
  }));

test('verify --against an earlier report detects deleted newest rows', () =>
  withLedger(({ env, record, tamper }) =>
    withFolder(async (folder) => {
      for (let n = 0; n < 3; n++) await record('CommandAudited', { n });
      const file = join(folder, 'head.json');
      await writeFile(file, (await svc(['audit', 'verify', '--json'], env)).stdout);
      assert.is((await svc(['audit', 'verify', '--against', file], env)).code, 0);
      await tamper('DELETE FROM svc_system_events WHERE stream_position = 3');
      assert.is((await svc(['audit', 'verify'], env)).code, 0);
      const result = await svc(['audit', 'verify', '--against', file], env);
      assert.is(result.code, 1);
      assert.match(result.stderr, /broken at position 3.*The head to compare with was at 3\.\n$/);
    }),
  ));

test('verify --against a file without a report fails on one line', () =>
  withFolder(async (folder) => {
    const file = join(folder, 'head.json');
    for (const text of [
      '',
      'null',
      '{}',
      '{"head":{"position":-1,"hash":"00"}}',
      '{"position":1,"hash":"x"}',
    ]) {
      await writeFile(file, text);
      const result = await svc(['audit', 'verify', '--against', file], {});
      assert.is(result.code, 1);
      assert.match(
        result.stderr,
        /^svc: .*head\.json contains no head; create it with svc audit verify --json > /,
      );
    }
    const missing = await spawnSvc(['audit', 'verify', '--against', join(folder, 'none.json')]);
    assert.match(missing.stderr, /^svc: .*none\.json cannot be read\.\n$/);
  }));

test('export writes every record, or a range, as lines of JSON', () =>
  withLedger(async ({ env, record }) => {
    for (let n = 1; n <= 4; n++) await record('ShopInspected', { n });
    const all = await spawnSvc(['audit', 'export'], env);
    assert.equal([all.code, all.stderr], [0, '']);
    assert.equal(
      recordsIn(all.stdout).map(({ position, data }) => [position, data]),
      [1, 2, 3, 4].map((n) => [n, { n }]),
    );
    const some = await spawnSvc(['audit', 'export', '--from', '2', '--to', '3'], env);
    assert.equal(
      recordsIn(some.stdout).map(({ position }) => position),
      [2, 3],
    );
  }));

test('export waits for a slow reader and loses nothing', () =>
  withLedger(({ env, record }) =>
    withFolder(async () => {
      const body = 'x'.repeat(300_000);
      for (let n = 1; n <= 12; n++) await record('CommandAudited', { body });
      const { stdout } = await spawnSvc(['audit', 'export'], env);
      assert.is(recordsIn(stdout).length, 12);
    }),
  ));

test('export ends quietly when its reader closes the pipe', () =>
  withLedger(async ({ env, record }) => {
    for (let n = 1; n <= 12; n++) await record('CommandAudited', { body: 'x'.repeat(300_000) });
    const cli = startCli(['audit', 'export'], env);
    cli.onLine(() => cli.leave());
    const { code } = await cli.ended;
    assert.equal([code, cli.output.stderr.join('')], [0, '']);
  }));

test('tail shows the last 20 records, for people or as JSON', () =>
  withLedger(async ({ env, record }) => {
    for (let n = 1; n <= 25; n++) await record('CommandAudited', { commandType: `Command${n}` });
    const { code, stdout } = await spawnSvc(['audit', 'tail'], env);
    assert.is(code, 0);
    assert.is(linesOf(stdout).length, 20);
    assert.match(stdout, /^6 {2}.*Command6\n/);
    assert.match(stdout, /Command25\n$/);
    const json = await spawnSvc(['audit', 'tail', '--json'], env);
    assert.equal(
      recordsIn(json.stdout).map(({ position }) => position),
      Array.from({ length: 20 }, (_, n) => n + 6),
    );
  }));

test('tail filters by correlation, user, tenant and type; every filter must match', () =>
  withLedger(async ({ env, record }) => {
    await record('CommandAudited', { correlationId: 'c-1', userId: 'ada', tenantId: 'acme' });
    await record('EventAudited', { correlationId: 'c-1', userId: 'ada', tenantId: 'acme' });
    await record('CommandAudited', { correlationId: 'c-2', userId: 'bob', tenantId: 'acme' });
    const shown = async (...args: string[]) =>
      recordsIn((await spawnSvc(['audit', 'tail', '--json', ...args], env)).stdout).map(
        ({ position }) => position,
      );
    assert.equal(await shown('--correlation', 'c-1'), [1, 2]);
    assert.equal(await shown('--user', 'bob'), [3]);
    assert.equal(await shown('--tenant', 'acme'), [1, 2, 3]);
    assert.equal(await shown('--type', 'CommandAudited', '--user', 'ada'), [1]);
    assert.equal(await shown('--type', "x'; DROP TABLE svc_events; --"), []);
  }));

test('tail --follow shows new records until a signal', () =>
  withLedger(async ({ env, record }) => {
    await record('CommandAudited', { commandType: 'Before' });
    const cli = startCli(['audit', 'tail', '--follow', '--json', '--type', 'CommandAudited'], env);
    const seen: string[] = [];
    const came = (count: number) =>
      new Promise<void>((resolve) =>
        cli.onLine((line) => {
          seen.push((JSON.parse(line) as { data: { commandType: string } }).data.commandType);
          if (seen.length === count) resolve();
        }),
      );
    const three = came(3);
    await record('EventAudited', { commandType: 'Hidden' });
    await record('CommandAudited', { commandType: 'First' });
    await record('CommandAudited', { commandType: 'Second' });
    await three;
    assert.equal(seen, ['Before', 'First', 'Second']);
    assert.is((await cli.kill('SIGINT')).code, 0);
  }));

test('bad arguments are reported on one line, and --help has an example', async () => {
  for (const [args, mistake] of [
    [[], /Give one action: svc audit verify, tail or export/],
    [['bake'], /Give one action/],
    [['verify', 'twice'], /Give one action/],
    [['verify', '--follow'], /--follow is not an option of verify/],
    [['export', '--from', '0'], /--from must be a position, not '0'/],
    [['export', '--from', '5', '--to', '4'], /--to 4 is before --from 5/],
    [['export', '--heads', '--from', '5'], /--from and --to select records/],
    [['export', '--origin', newUuid()], /--origin selects the heads of one store/],
    [['export', '--heads', '--origin', 'north'], /--origin must be the id of a store, not 'north'/],
    [['tail', '--loud'], /Unknown option '--loud'/],
  ] as const) {
    const result = await svc(['audit', ...args], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    assert.equal([result.code, result.stdout], [1, '']);
    assert.match(result.stderr, /^svc: [^\n]+\n$/);
    assert.match(result.stderr, mistake);
  }
  const help = await spawnSvc(['audit', '--help']);
  assert.is(help.code, 0);
  assert.match(help.stdout, /svc audit verify --json > head\.json/);
});

test('a database without a store is reported', () =>
  withFolder(async (folder) => {
    const result = await svc(['audit', 'verify'], { SVC_DATA_DIR: join(folder, 'none') });
    assert.is(result.code, 1);
    assert.match(result.stderr, /^svc: There is no store in .*; start a host first/);
  }));

test('verify --events lists altered and deleted events, and exits with 1', () =>
  withMigratedDatabase(async ({ url, openStore }) => {
    const options = new SystemEventOptions().enableEventAudit();
    const store = new AuditingEventStore(openStore(), { queue: () => undefined }, options);
    const stream = newUuid();
    const sold = (loaves: number) => ({
      messageId: newUuid(),
      messageType: 'Sold',
      payload: { loaves },
      timestamp: '2026-03-01T09:30:00Z',
      v: 1,
    });
    const events = [sold(1), sold(2), sold(3)];
    await store.append(stream, events);
    const env = { DATABASE_URL: url };
    const good = await svc(['audit', 'verify', '--events'], env);
    assert.equal([good.code, good.stderr], [0, '']);
    assert.match(good.stdout, /\nAll events match their audits: 3 compared\.\n$/);
    const owner = await connect(url);
    await owner.query(`SET session_replication_role = replica;
      UPDATE svc_events SET data = '{"loaves":200}' WHERE stream_position = 2;
      DELETE FROM svc_events WHERE stream_position = 3`);
    await owner.end();
    const bad = await svc(['audit', 'verify', '--events'], env);
    assert.is(bad.code, 1);
    const [altered, deleted] = linesOf(bad.stdout).slice(2);
    const [, two, three] = events.map(({ messageId }) => messageId);
    assert.is(altered, `altered  Sold ${two} at ${stream}@2: differs in data/loaves, audited at 2`);
    assert.is(deleted, `deleted  Sold ${three} at ${stream}@3: audited at 3`);
    assert.match(
      bad.stderr,
      /^svc: Events differ from their audits: of 3 compared, 1 were altered and 1 deleted\. 1 pos[^\n]+\n$/,
    );
    const json = await svc(['audit', 'verify', '--events', '--json'], env);
    const found = JSON.parse(json.stdout) as { ok: boolean; records: number; events: { altered: number } };
    assert.equal([json.code, found.ok, found.records, found.events.altered], [1, false, 3, 1]);
    const both = await svc(['audit', 'verify', '--events', '--origin', stream], env);
    assert.match(
      both.stderr,
      /^svc: --events compares the events of this store; it cannot be combined with --origin;/,
    );
  }));

test('verify --origin exits with 1 when records of the other store were not received', () =>
  withMigratedDatabase(async ({ url, connect: open }) => {
    const inbox = postgresInbox(open(), newUuid());
    await inbox.acquireLease(60_000);
    const text = '{"n":1}';
    const content = { type: 'Baked', data: text, metadata: '{"v":1}', host: 'far', publish: true };
    const digest = digestOf(content);
    const [origin, eventId] = [newUuid(), newUuid()];
    const hash = hashAfter(
      genesis,
      {
        position: 1,
        globalPosition: 7,
        originalPosition: 0,
        recordedAt: Date.parse('2026-03-01T09:30:00Z') * 1000,
        eventId: Buffer.from(eventId.replaceAll('-', ''), 'hex'),
      },
      digest,
    );
    const record = {
      ...{ store: origin, streamPosition: 1, id: eventId, type: 'Baked', data: text, metadata: '{"v":1}' },
      ...{
        host: 'far',
        originalPosition: 0,
        omitted: false,
        digest,
        hash,
        recordedAt: '2026-03-01T09:30:00Z',
        globalPosition: 7,
      },
    };
    await inbox.storeRecords([record], 60_000);
    const env = { DATABASE_URL: url };
    const whole = await svc(['audit', 'verify', '--origin', origin], env);
    assert.equal([whole.code, whole.stderr], [0, '']);
    await inbox.storeHead(origin, headSigner(origin)({ position: 3, hash: '00'.repeat(32) }), 60_000);
    const part = await svc(['audit', 'verify', '--origin', origin], env);
    assert.equal([part.code, part.stdout], [1, '']);
    assert.match(
      part.stderr,
      /^svc: The chain is intact: 1 records, [^\n]+ 2 records were not received\.\n$/,
    );
    const json = await svc(['audit', 'verify', '--origin', origin, '--json'], env);
    const { ok, missing } = JSON.parse(json.stdout) as { ok: boolean; missing: number };
    assert.equal([json.code, ok, missing], [1, false, 2]);
  }));
