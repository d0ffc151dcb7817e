import * as assert from 'uvu/assert';
import { CommandAudited, EventAudited } from '../../contracts/events/audited.js';
import { CommandFailed } from '../../contracts/events/error.js';
import { MigrationBatchStarted } from '../../contracts/events/migration.js';
import { PerspectiveRebuildStarted } from '../../contracts/events/perspective.js';
import { systemMessages } from '../../contracts/system-messages.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { NoOpSystemEventEmitter } from '../../runtime/service/no-op-emitter.js';
import {
  DoorMoved,
  envelope,
  OpenShop,
  OpenShopResult,
  PayRentCommand,
  PeekInside,
  RentPaid,
  ShopInspected,
  ShopOpened,
  shopWith,
  street,
} from '../testing/bakery-service.js';
import { deniedAccess } from '../testing/denied-access.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';

const test = suite('conformance: system event emitter');

const at = '2026-03-01T09:30:00Z';

test('EmitEventAudited emits EventAudited for a domain event, with its stream, position, ids and scope', async () => {
  const { service, system, recorded } = shopWith();
  const opened = envelope(ShopOpened.of({ street: 'High' }), {
    correlationId: 'c-1',
    causationId: 'cmd-1',
    scope: { tenantId: 'acme', userId: 'ada', roles: 'a,b' },
  });
  await service.emitter.emitEventAudited(street, 7, opened);
  const [audited] = await recorded('EventAudited');
  const [stored] = await system('EventAudited');
  assert.ok(audited?.['id']);
  assert.equal(
    { ...audited, id: undefined },
    {
      id: undefined,
      originalEventId: opened.messageId,
      originalEventType: 'ShopOpened',
      originalStreamId: street,
      originalStreamPosition: 7,
      originalBody: { street: 'High' },
      timestamp: stored?.recordedAt,
      tenantId: 'acme',
      userId: 'ada',
      correlationId: 'c-1',
      causationId: 'cmd-1',
      auditLevel: 'Info',
      scope: { tenantId: 'acme', userId: 'ada', roles: 'a,b' },
    },
  );
});

test('EmitEventAudited copies reason and level from the audit attribute of the event type', async () => {
  const { service, recorded } = shopWith();
  await service.emitter.emitEventAudited(street, 1, envelope(RentPaid.of({ amount: '5' })));
  const [audited] = await recorded('EventAudited');
  assert.is(audited?.['auditReason'], 'Money moves.');
  assert.is(audited?.['auditLevel'], 'Warning');
});

test('EmitEventAudited emits only when enabled through options', async () => {
  const { service, system } = shopWith((o) => o.enableCommandAudit().enableErrorEvents());
  await service.emitter.emitEventAudited(street, 1, envelope(ShopOpened.of({ street: 'High' })));
  assert.equal(await system(), []);
});

test('EmitEventAudited respects the exclusion attribute', async () => {
  const { service, system } = shopWith();
  await service.emitter.emitEventAudited(street, 1, envelope(new DoorMoved()));
  assert.equal(await system(), []);
});

test('EmitCommandAudited emits CommandAudited with command, response type, receptor and context', async () => {
  const { service, recorded } = shopWith();
  await service.emitter.emitCommandAudited(
    OpenShop.of({ street: 'High' }),
    new OpenShopResult('1'),
    'Opener',
    {
      correlationId: 'c-1',
      causationId: 'm-0',
      scope: {
        tenantId: 'acme',
        userId: 'ada',
        allowedPrincipals: ['p1', 'p2'],
        extensions: { userName: 'Ada L.' },
      },
    },
  );
  const [audited] = await recorded('CommandAudited');
  assert.ok(audited?.['id'] && audited['timestamp']);
  assert.equal(
    { ...audited, id: undefined, timestamp: undefined },
    {
      id: undefined,
      commandType: 'OpenShop',
      commandBody: { street: 'High' },
      timestamp: undefined,
      tenantId: 'acme',
      userId: 'ada',
      userName: 'Ada L.',
      correlationId: 'c-1',
      causationId: 'm-0',
      auditLevel: 'Info',
      receptorName: 'Opener',
      responseType: 'OpenShopResult',
      scope: { userName: 'Ada L.', tenantId: 'acme', userId: 'ada', allowedPrincipals: 'p1,p2' },
    },
  );
});

test('EmitCommandAudited takes the message context as optional', async () => {
  const { service, recorded } = shopWith();
  await service.emitter.emitCommandAudited(OpenShop.of({ street: 'High' }), undefined, 'Opener');
  const [audited] = await recorded('CommandAudited');
  assert.is(audited?.['receptorName'], 'Opener');
  assert.not('correlationId' in (audited ?? {}));
  assert.not('responseType' in (audited ?? {}));
});

test('EmitCommandAudited copies reason and level from the audit attribute of the command type', async () => {
  const { service, recorded } = shopWith();
  await service.emitter.emitCommandAudited(PayRentCommand.of({ amount: '5' }), undefined, 'r');
  const [audited] = await recorded('CommandAudited');
  assert.is(audited?.['auditReason'], 'Money moves.');
  assert.is(audited?.['auditLevel'], 'Critical');
});

test('EmitCommandAudited emits only when enabled, and respects the exclusion attribute', async () => {
  const off = shopWith((o) => o.enableEventAudit());
  await off.service.emitter.emitCommandAudited(OpenShop.of({ street: 'High' }), undefined, 'r');
  assert.equal(await off.system(), []);
  const on = shopWith();
  await on.service.emitter.emitCommandAudited(new PeekInside(), undefined, 'r');
  assert.equal(await on.system(), []);
});

test('Emit stores any system event in the system stream', async () => {
  const { service, system } = shopWith((o) => o.enableAll());
  const messages = [
    deniedAccess(),
    ShopInspected.of({ by: 'Ada' }),
    new MigrationBatchStarted({
      streamId: newUuid(),
      libraryVersion: '1',
      totalMigrations: 1,
      totalPerspectives: 0,
    }),
    new PerspectiveRebuildStarted({
      streamId: newUuid(),
      perspectiveName: 'shops',
      mode: 'InPlace',
      totalStreams: 1,
      startedAt: at,
    }),
    new CommandFailed({
      commandType: 'OpenShop',
      error: { name: 'Error', message: 'm' },
      recovered: false,
      timestamp: at,
    }),
  ];
  for (const message of messages) await service.emitter.emit(message);
  assert.equal(
    (await system()).map(({ messageType, streamId, streamPosition }) => [
      messageType,
      streamId,
      streamPosition,
    ]),
    messages.map((message, index) => [message.constructor.name, SystemEventStreams.streamId, index + 1]),
  );
});

test('Emit emits only when the category is enabled', async () => {
  const { service, system } = shopWith(() => undefined);
  await service.emitter.emit(
    new CommandFailed({
      commandType: 'OpenShop',
      error: { name: 'Error', message: 'm' },
      recovered: false,
      timestamp: at,
    }),
  );
  assert.equal(await system(), []);
});

test('Emit accepts system events only', async () => {
  const { service, store } = shopWith();
  const problem = await thrownBy(() => service.emitter.emit(ShopOpened.of({ street: 'a' }) as never));
  assert.is(problem.code, 'invalid-system-event');
  assert.match(problem.message, /ShopOpened is not a system event/);
  assert.equal(store.commits, []);
});

test('the id of the record is the id of its message and of its envelope', async () => {
  const { service, system } = shopWith();
  const event = deniedAccess();
  await service.emitter.emit(event);
  const [stored] = await system();
  assert.is(stored?.messageId, event.id);
  assert.is((stored?.payload as { id: string } | undefined)?.id, event.id);
});

test('the no-op emitter does nothing on every call', async () => {
  const emitter = new NoOpSystemEventEmitter();
  assert.is(await emitter.emit(), undefined);
  assert.is(await emitter.emitCommandAudited(), undefined);
  assert.is(await emitter.emitEventAudited(), undefined);
  assert.is(emitter.shouldExcludeFromAudit(), false);
});

test('outside a unit every operation is its own unit, durable when it resolves', async () => {
  const { service, store } = shopWith();
  await service.emitter.emitEventAudited(street, 1, envelope(ShopOpened.of({ street: 'a' })));
  await service.emitter.emitCommandAudited(OpenShop.of({ street: 'a' }), undefined, 'r');
  await service.emitter.emit(deniedAccess());
  assert.equal(
    store.commits.map(({ events, records }) => [events.length, records.map((r) => r.envelope.messageType)]),
    [
      [0, ['EventAudited']],
      [0, ['CommandAudited']],
      [0, ['AccessDenied']],
    ],
  );
});

test('payloads are serialized without run-time type inspection: the stored record is plain JSON', async () => {
  const { service, system } = shopWith();
  await service.emitter.emitCommandAudited(OpenShop.of({ street: 'a' }), undefined, 'r');
  const [stored] = await system();
  assert.is(Object.getPrototypeOf(stored?.payload), Object.prototype);
  assert.equal(stored?.payload, JSON.parse(JSON.stringify(stored?.payload)));
});

test('the classes of the specification are the ones that are emitted', () => {
  assert.is(systemMessages.get('EventAudited'), EventAudited);
  assert.is(systemMessages.get('CommandAudited'), CommandAudited);
});
