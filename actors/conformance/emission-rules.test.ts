import * as assert from 'uvu/assert';
import { auditMarkOf } from '../../contracts/audit.js';
import { CommandAudited, EventAudited } from '../../contracts/events/audited.js';
import { AccessGranted, PermissionChanged, ScopeContextEstablished } from '../../contracts/events/access.js';
import { systemMessages } from '../../contracts/system-messages.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { collect } from '../../runtime/kit/collect.js';
import {
  DoorMoved,
  envelope,
  OpenShop,
  PayRentCommand,
  ShopInspected,
  ShopOpened,
  shopWith,
  street,
} from '../testing/bakery-service.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';

const test = suite('conformance: emission rules');
const command = OpenShop.of({ street: 'High' });

test('rule 1: a domain event appended with event audit enabled queues EventAudited, subject to mode and exclusion', async () => {
  const { service, recorded } = shopWith((o) => o.enableEventAudit());
  await service.eventStore.append(street, [
    envelope(ShopOpened.of({ street: 'a' })),
    envelope(new DoorMoved()),
  ]);
  assert.equal(
    (await recorded('EventAudited')).map((audited) => audited['originalEventType']),
    ['ShopOpened'],
  );
});

test('rule 1: what a handler stages is audited like any other append, exactly once and with its exact position', async () => {
  const { dispatcher, store, system } = shopWith();
  await dispatcher.localInvoke(command);
  await dispatcher.localInvoke(command);
  const events = (await collect(store.readAll({ after: 0 }))).filter((e) => e.messageType === 'ShopOpened');
  const audits = (await system('EventAudited')).map(({ payload }) => payload as EventAudited);
  assert.equal(
    audits.map((a) => [a.originalEventId, a.originalStreamPosition, a.originalStreamId]),
    events.map((e) => [e.messageId, e.streamPosition, e.streamId]),
  );
});

test('rule 2: CommandAudited is emitted after the handler returns', async () => {
  const { dispatcher, store } = shopWith();
  await dispatcher.localInvoke(command);
  assert.equal(
    (await collect(store.readAll({ after: 0 }))).map(({ messageType }) => messageType),
    ['ShopOpened', 'EventAudited', 'CommandAudited'],
  );
});

test('rule 3: every system event is appended to the stream $svc-system with its fixed id', async () => {
  assert.is(SystemEventStreams.name, '$svc-system');
  assert.is(SystemEventStreams.prefix, '$svc-');
  assert.is(SystemEventStreams.streamId, '00000000-0000-0000-0000-000000000001');
  const { dispatcher, service, store } = shopWith();
  await dispatcher.localInvoke(command);
  await service.emitter.emit(ShopInspected.of({ by: 'Ada' }));
  const system = (await collect(store.readAll({ after: 0 }))).filter((e) => e.messageType !== 'ShopOpened');
  assert.equal(
    system.map(({ streamId, streamPosition }) => [streamId, streamPosition]),
    [1, 2, 3].map((position) => [SystemEventStreams.streamId, position]),
  );
});

test('rule 3: system events are read like domain events, by stream, over all and by type', async () => {
  const { dispatcher, store } = shopWith();
  await dispatcher.localInvoke(command);
  assert.is((await collect(store.read(SystemEventStreams.streamId))).length, 2);
  assert.is((await collect(store.readAll({ after: 0, types: ['CommandAudited'] }))).length, 1);
  assert.is(await store.lastPosition(SystemEventStreams.streamId), 2);
});

test('rule 3: only the runtime writes to the system stream, and system messages go nowhere else', async () => {
  const { service, store } = shopWith();
  const own = envelope(ShopOpened.of({ street: 'a' }));
  const reserved = await thrownBy(() => service.eventStore.append(SystemEventStreams.streamId, own));
  assert.is(reserved.code, 'reserved-stream');
  for (const payload of [ShopInspected.of({ by: 'Ada' }), Object.create(EventAudited.prototype) as object]) {
    const elsewhere = await thrownBy(() => service.eventStore.append(street, envelope(payload)));
    assert.match(elsewhere.message, /stored only in \$svc-system; emit it instead/);
  }
  assert.equal(store.commits, []);
});

test('rule 4: LocalOnly = true, system events are neither published nor received; domain events always flow', async () => {
  const { service, store, dispatcher } = shopWith();
  await dispatcher.localInvoke(command);
  assert.equal(
    store.commits.flatMap(({ records }) => records.map(({ publish }) => publish)),
    [false, false],
  );
  assert.is(service.transportFilter.shouldReceiveFromTransport('CommandAudited'), false);
  assert.is(service.transportFilter.shouldReceiveFromTransport(ShopOpened), true);
});

test('rule 4: Broadcast lets system events flow through the transport', async () => {
  const { service, store, dispatcher } = shopWith((o) => o.enableAudit().broadcast());
  await dispatcher.localInvoke(command);
  assert.equal(
    store.commits.flatMap(({ records }) => records.map(({ publish }) => publish)),
    [true, true],
  );
  assert.is(service.transportFilter.shouldReceiveFromTransport('CommandAudited'), true);
});

test('rule 5: EventAudited and CommandAudited carry Exclude = true with a reason, and so do all system events', () => {
  for (const type of [EventAudited, CommandAudited, ...systemMessages.values()]) {
    const mark = auditMarkOf(type);
    assert.is(mark?.exclude, true, type.name);
    assert.ok((mark?.reason ?? '').length > 0, type.name);
  }
});

test('rule 5: audits are never audited themselves', async () => {
  const { service, system } = shopWith((o) => o.enableAll());
  await service.emitter.emitCommandAudited(command, undefined, 'r');
  await service.emitter.emit(ShopInspected.of({ by: 'Ada' }));
  assert.equal(
    (await system()).map(({ messageType }) => messageType),
    ['CommandAudited', 'ShopInspected'],
  );
});

test('rule 6: the sys-audit payload omits OriginalBody and CommandBody and carries the identifying fields', async () => {
  const { service, dispatcher, recorded } = shopWith();
  const payloads: Record<string, unknown>[] = [];
  service.onSystemEvent('sys-audit', (payload) => void payloads.push(payload));
  await dispatcher.localInvoke(PayRentCommand.of({ amount: '5' }));
  await dispatcher.localInvoke(command);
  const [rent, event, opened] = payloads;
  assert.equal(payloads.length, 3);
  for (const payload of payloads) {
    for (const hidden of ['originalBody', 'commandBody', 'scope']) assert.not(hidden in payload, hidden);
  }
  const [audited] = await recorded('EventAudited');
  assert.is(event?.['originalStreamPosition'], 1);
  assert.is(event?.['id'], audited?.['id']);
  assert.is(rent?.['auditReason'], 'Money moves.');
  assert.is(opened?.['receptorName'], 'OpenShopReceptor');
  assert.is(opened?.['responseType'], 'OpenShopResult');
});

test('rule 6: a hook that needs the body reads the stored audit record', async () => {
  const { service, dispatcher, recorded } = shopWith();
  const ids: unknown[] = [];
  service.onSystemEvent('sys-audit', ({ id }) => void ids.push(id));
  await dispatcher.localInvoke(command);
  const [audited] = await recorded('CommandAudited');
  assert.ok(ids.includes(audited?.['id']));
  assert.equal(audited?.['commandBody'], { street: 'High' });
});

test('rule 6: the hook runs however an audit is stored: by handler, append or emitter', async () => {
  const { service, dispatcher } = shopWith();
  const ids: unknown[] = [];
  service.onSystemEvent('sys-audit', ({ id }) => void ids.push(id));
  await dispatcher.localInvoke(command);
  await service.eventStore.append(street, envelope(ShopOpened.of({ street: 'a' })));
  await service.emitter.emitCommandAudited(command, undefined, 'r');
  await service.emitter.emitEventAudited(street, 9, envelope(ShopOpened.of({ street: 'a' })));
  assert.is(new Set(ids).size, 5);
});

test('rule 6: no hook of any tag receives the body of an audit', async () => {
  const { service, dispatcher } = shopWith();
  const seen: Record<string, unknown>[] = [];
  for (const tag of ['EventAudited', 'CommandAudited']) service.onSystemEvent(tag, (p) => void seen.push(p));
  await dispatcher.localInvoke(command);
  assert.is(seen.length, 2);
  for (const payload of seen) assert.not('originalBody' in payload || 'commandBody' in payload);
});

test('limits: bodies are unbounded; 5 MB are stored and kept out of hook payloads', async () => {
  const { service, dispatcher, recorded } = shopWith();
  const sizes: number[] = [];
  const failures: unknown[] = [];
  service.parts.hooks.reports = {
    large: (tag) => void failures.push(tag),
    failed: (_tag, e) => void failures.push(e),
  };
  service.onSystemEvent('sys-audit', (payload) => void sizes.push(JSON.stringify(payload).length));
  const body = 'x'.repeat(5 * 1024 * 1024);
  await dispatcher.localInvoke(OpenShop.of({ street: body }));
  assert.is((await recorded('EventAudited'))[0]?.['originalBody'] !== undefined, true);
  assert.equal((await recorded('CommandAudited'))[0]?.['commandBody'], { street: body });
  assert.is(sizes.length, 2);
  assert.ok(Math.max(...sizes) < 1024);
  assert.equal(failures, []);
});

test('rule 7: perspective events need EnablePerspectiveEvents(), migration events do not', () => {
  const { options } = shopWith(() => undefined).service;
  for (const [name, type] of systemMessages) {
    if (name.startsWith('Perspective') && name !== 'PerspectiveFailed')
      assert.is(options.isEnabled(type), false, name);
    if (name.startsWith('Migration')) assert.is(options.isEnabled(type), true, name);
  }
});

test('rule 11: the security events can be emitted manually through Emit', async () => {
  const { service, system } = shopWith(() => undefined);
  const at = '2026-03-01T09:30:00Z';
  await service.emitter.emit(
    new ScopeContextEstablished({
      scope: {},
      roles: ['r'],
      permissions: ['a:b'],
      source: 'token',
      timestamp: at,
    }),
  );
  await service.emitter.emit(
    new PermissionChanged({
      userId: 'u',
      tenantId: 't',
      changeType: 'RolesAdded',
      changedBy: 'x',
      timestamp: at,
    }),
  );
  await service.emitter.emit(
    new AccessGranted({
      resourceType: 'shop',
      usedPermission: 'shop:read',
      accessFilter: 9,
      scope: {},
      timestamp: at,
    }),
  );
  assert.equal(
    (await system()).map(({ messageType }) => messageType),
    ['ScopeContextEstablished', 'PermissionChanged', 'AccessGranted'],
  );
});

test('U+0000 and lone surrogates in an audited body are replaced by U+FFFD, not refused', async () => {
  const { service, recorded } = shopWith();
  const text = `a\u0000b\ud800c\\u0000\\\u0000`;
  await service.emitter.emitCommandAudited(OpenShop.of({ street: text }), undefined, 'r', {
    correlationId: `c\u0000`,
  });
  const [audited] = await recorded('CommandAudited');
  assert.equal(audited?.['commandBody'], { street: `a\ufffdb\ufffdc\\u0000\\\ufffd` });
  assert.is(audited?.['correlationId'], 'c\ufffd');
});

test('a nested command is its own unit, its own audit, caused by the outer command', async () => {
  const outer = newUuid();
  const { dispatcher, recorded, service } = shopWith(undefined, {
    PayRentCommand: {
      handle: async (_command, work) => {
        await dispatcher.localInvoke(command, work.signal, work.context);
        return 'paid';
      },
    },
  });
  void service;
  await dispatcher.localInvoke(PayRentCommand.of({ amount: '1' }), undefined, {
    ...contextOf(outer),
  });
  const [inner, paid] = await recorded('CommandAudited');
  assert.is(inner?.['commandType'], 'OpenShop');
  assert.is(inner?.['causationId'], outer);
  assert.is(inner?.['receptorName'], 'OpenShopReceptor');
  assert.is(paid?.['commandType'], 'PayRentCommand');
  assert.not('causationId' in (paid ?? {}));
});

const contextOf = (messageId: string) => ({
  messageId,
  correlationId: 'c',
  items: new Map<string, unknown>(),
  metadata: {},
  transport: 'local' as const,
  scope: { allowedPrincipals: [], extensions: {} },
  headers: {},
  flags: { isOn: () => false },
  cancellationToken: new AbortController().signal,
});
