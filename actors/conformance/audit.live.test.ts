import * as assert from 'uvu/assert';
import type { EventAudited } from '../../contracts/events/audited.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { connect } from '../../runtime/database/connect.js';
import type { Database } from '../../runtime/database/database.js';
import { addService } from '../../runtime/service/service.js';
import { eventStore } from '../../runtime/service/register-event-store.js';
import { collect } from '../../runtime/kit/collect.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { dispatcherFor } from '../commands/create-dispatcher.js';
import { addSystemEventAuditing, type Configure } from '../add-system-events-and-auditing.js';
import {
  DoorMoved,
  envelope,
  OpenShop,
  openShop,
  readers,
  ShopInspected,
  ShopOpened,
  street,
} from '../testing/bakery-service.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';

const test = suite('conformance: audit in PostgreSQL');

const withShop = (
  body: (shop: Awaited<ReturnType<typeof shopOn>> & { url: string }) => Promise<void>,
  configure: Configure = (o) => o.enableAll(),
) =>
  withMigratedDatabase(async ({ url, connect: open, openStore }) => {
    const shop = shopOn(openStore(), open(), configure);
    await body({ ...shop, url });
  });

function shopOn(
  store: ReturnType<Parameters<Parameters<typeof withMigratedDatabase>[0]>[0]['openStore']>,
  database: Database,
  configure: Configure,
) {
  const service = addService().with(eventStore(store)).with(addSystemEventAuditing(configure));
  const dispatcher = dispatcherFor(service, { store, report: () => undefined });
  dispatcher.register([{ command: OpenShop, receptor: openShop }]);
  return { service, store, dispatcher, database, ...readers(store) };
}

const command = OpenShop.of({ street: 'High' });

test('event, EventAudited and CommandAudited of a command share one transaction', () =>
  withShop(async ({ dispatcher, url }) => {
    await dispatcher.localInvoke(command);
    const owner = await connect(url);
    const { rows } = await owner.query<{ x: string }>(
      'SELECT xmin::text x FROM svc_events UNION ALL SELECT xmin::text FROM svc_system_events',
    );
    await owner.end();
    assert.is(rows.length, 3);
    assert.is(new Set(rows.map(({ x }) => x)).size, 1);
  }));

test('rule 3: the view svc_system_stream is the stream $svc-system, with exact positions merged in', () =>
  withShop(async ({ dispatcher, database }) => {
    for (let round = 0; round < 3; round++) await dispatcher.localInvoke(command);
    const rows = await database.rows({
      text: `SELECT stream_position, event_type, data ->> 'originalStreamPosition', data ->> 'id' = event_id::text
        FROM svc_system_stream ORDER BY stream_position`,
    });
    assert.equal(
      rows.map((row) => [...row]),
      [1, 2, 3].flatMap((n) => [
        [String(2 * n - 1), 'EventAudited', String(n), 't'],
        [String(2 * n), 'CommandAudited', null, 't'],
      ]),
    );
  }));

test('rule 3: the store reads the system stream like any other, positions merged in', () =>
  withShop(async ({ dispatcher, store }) => {
    await dispatcher.localInvoke(command);
    await dispatcher.localInvoke(command);
    const audits = (await collect(store.read(SystemEventStreams.streamId)))
      .filter(({ messageType }) => messageType === 'EventAudited')
      .map(({ payload }) => (payload as EventAudited).originalStreamPosition);
    assert.equal(audits, [1, 2]);
    assert.is(await store.lastPosition(SystemEventStreams.streamId), 4);
  }));

test('one EventAudited per event and one CommandAudited per command, under 64 commands at once', () =>
  withShop(async ({ dispatcher, database }) => {
    await Promise.all(Array.from({ length: 500 }, () => dispatcher.localInvoke(command)));
    const [counts] = await database.rows({
      text: `SELECT (SELECT count(*) FROM svc_events),
        (SELECT count(*) FROM svc_system_events WHERE event_type = 'CommandAudited'),
        (SELECT count(*) FROM svc_events e JOIN svc_system_stream s ON s.event_type = 'EventAudited'
          AND s.data ->> 'originalEventId' = e.event_id::text
          AND (s.data ->> 'originalStreamPosition')::bigint = e.stream_position
          AND s.data ->> 'originalStreamId' = e.stream_id::text)`,
    });
    assert.equal([...(counts ?? [])], ['500', '500', '500']);
  }));

for (const change of [
  'UPDATE svc_system_events SET host = host',
  'DELETE FROM svc_system_events',
  'TRUNCATE svc_system_events',
  'UPDATE svc_events SET host = host',
  'DELETE FROM svc_events',
  'TRUNCATE svc_events',
]) {
  test(`append-only in the database itself: "${change}" is refused, for the runtime and for the owner`, () =>
    withShop(async ({ dispatcher, database, url }) => {
      await dispatcher.localInvoke(command);
      const owner = await connect(url);
      for (const act of [() => database.rows({ text: change }), () => owner.query(change)]) {
        const refusal = await Promise.resolve(act()).then(
          () => 'allowed',
          (error: { code?: string }) => error.code,
        );
        assert.is(refusal, '42501');
      }
      await owner.end();
    }));
}

test('the runtime role cannot write a row past the commit procedure', () =>
  withShop(async ({ database }) => {
    const forged = `INSERT INTO svc_system_events VALUES (1, 1, gen_random_uuid(), 'CommandAudited', '{}', '{}', NULL, false, '\\x00', '\\x00', 'h', now())`;
    const refusal = await database.rows({ text: forged }).catch((error: { code?: string }) => error.code);
    assert.is(refusal, '42501');
  }));

test('U+0000 and lone surrogates in audited bodies are replaced, and the views over them still work', () =>
  withShop(async ({ service, database }) => {
    const odd = OpenShop.of({ street: 'a\u0000b\ud800' });
    await service.emitter.emitCommandAudited(odd, undefined, 'r', { correlationId: 'c\u0000' });
    const [row] = await database.rows({
      text: `SELECT data -> 'commandBody' ->> 'street', data ->> 'correlationId' FROM svc_system_stream`,
    });
    assert.equal([...(row ?? [])], ['a\ufffdb\ufffd', 'c\ufffd']);
  }));

test('an event with U+0000 is refused together with its audit', () =>
  withShop(async ({ service, system }) => {
    const odd = envelope(ShopOpened.of({ street: '\u0000' }));
    assert.is((await thrownBy(() => service.eventStore.append(street, odd))).code, 'invalid-event');
    assert.equal(await system(), []);
  }));

test('limits: bodies of 5 MB are stored whole, and kept out of hook payloads', () =>
  withShop(async ({ service, dispatcher, recorded }) => {
    const sizes: number[] = [];
    service.onSystemEvent('sys-audit', (payload) => void sizes.push(JSON.stringify(payload).length));
    const body = 'é'.repeat(2.5 * 1024 * 1024);
    await dispatcher.localInvoke(OpenShop.of({ street: body }));
    assert.equal((await recorded('CommandAudited'))[0]?.['commandBody'], { street: body });
    assert.equal((await recorded('EventAudited'))[0]?.['originalBody'], { street: body });
    assert.equal(
      sizes.map((size) => size < 2048),
      [true, true],
    );
  }));

test('a repeated append with the same event id stores no second audit, alone and among others', () =>
  withShop(async ({ service, recorded }) => {
    const once = envelope(ShopOpened.of({ street: 'a' }));
    await Promise.all([
      service.eventStore.append(street, once),
      service.eventStore.append(street, once),
      service.eventStore.append(newUuid(), envelope(ShopOpened.of({ street: 'b' }))),
    ]);
    await service.eventStore.append(street, once);
    assert.is((await recorded('EventAudited')).length, 2);
  }));

test('a refused unit affects no other unit of its flush, and leaves neither event nor audit', () =>
  withShop(async ({ service, system, recorded }) => {
    const good = Array.from({ length: 20 }, () =>
      service.eventStore.append(newUuid(), envelope(ShopOpened.of({ street: 'a' }))),
    );
    const bad = service.eventStore.append(street, envelope(ShopOpened.of({ street: 'b' })), {
      expectedPosition: 3,
    });
    assert.is((await thrownBy(() => bad)).code, 'stream-conflict');
    await Promise.all(good);
    assert.is((await recorded('EventAudited')).length, 20);
    assert.is((await system()).length, 20);
  }));

test('excluded events are stored without an audit, and custom system events without being audited', () =>
  withShop(async ({ service, system }) => {
    await service.eventStore.append(street, envelope(new DoorMoved()));
    await service.emitter.emit(ShopInspected.of({ by: 'Ada' }));
    assert.equal(
      (await system()).map(({ messageType, streamPosition }) => [messageType, streamPosition]),
      [['ShopInspected', 1]],
    );
  }));

test('rule 4: the publish mark is stored with the record, decided by the writing host', () =>
  withShop(
    async ({ dispatcher, database }) => {
      await dispatcher.localInvoke(command);
      const rows = await database.rows({ text: 'SELECT publish FROM svc_system_events' });
      assert.equal(
        rows.map(([publish]) => publish),
        ['t', 't'],
      );
    },
    (o) => o.enableAudit().broadcast(),
  ));
