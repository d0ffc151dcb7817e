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
import { svc as spawnSvc } from '../testing/spawned-host.js';
import { linesOf, withLedger } from '../testing/audit-ledger.js';

const test = suite('svc audit verify');

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
      store: origin,
      streamPosition: 1,
      id: eventId,
      type: 'Baked',
      data: text,
      metadata: '{"v":1}',
      host: 'far',
      originalPosition: 0,
      omitted: false,
      digest,
      hash,
      recordedAt: '2026-03-01T09:30:00Z',
      globalPosition: 7,
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
