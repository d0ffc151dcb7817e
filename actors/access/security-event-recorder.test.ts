import * as assert from 'uvu/assert';
import type { SystemMessageContext } from '../../contracts/system-event-emitter.js';
import { type IdentityInit, identityFrom } from '../../contracts/identity.js';
import { faultsOf } from '../../contracts/record-class.js';
import { AccessDenialReason } from '../../contracts/events/access.js';
import { Permission } from '../../contracts/permission.js';
import { ScopeFilters } from '../../contracts/perspective-scope.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { suite } from '../../contracts/testing/suite.js';
import { NoOpSystemEventEmitter } from '../../runtime/service/no-op-emitter.js';
import { fakeClock } from '../../runtime/kit/fake-clock.js';
import { SecurityEventRecorder } from './security-event-recorder.js';

const test = suite('security event recorder');

const minute = 60_000;
const write = Permission.write('orders');
const order = { type: 'Order', id: '7' };
const { InsufficientPermission } = AccessDenialReason;

const ann = (more: Partial<IdentityInit> = {}) =>
  identityFrom({
    source: 'jwt',
    scope: { tenantId: 'acme', userId: 'ann', allowedPrincipals: ['team:sales'] },
    roles: ['clerk'],
    permissions: ['orders:write'],
    ...more,
  });

interface Emitted {
  readonly event: SystemMessage;
  readonly context: SystemMessageContext;
}

function recording() {
  const clock = fakeClock('2026-03-01T09:30:00Z');
  const emitted: Emitted[] = [];
  const emit = async (event: SystemMessage, context: SystemMessageContext) =>
    void emitted.push({ event, context });
  const recorder = new SecurityEventRecorder({ ...clock, emit });
  const summary = () =>
    emitted.splice(0).map(({ event, context: { count = 1 } }) => `${event.constructor.name} ${count}`);
  return { clock, recorder, emitted, summary };
}

const bodyOf = ({ event }: Emitted) => {
  assert.equal(faultsOf(event), []);
  const { id: _, ...body } = JSON.parse(JSON.stringify(event)) as Record<string, unknown>;
  return body;
};

const scope = { tenantId: 'acme', userId: 'ann', allowedPrincipals: ['team:sales'], extensions: {} };
const timestamp = '2026-03-01T09:30:00.000Z';

test('each event says who, what, by which permission, and when', () => {
  const { recorder, emitted } = recording();
  recorder.established(ann());
  recorder.granted(ann(), write, order, ScopeFilters.Tenant | ScopeFilters.User);
  recorder.denied(ann(), Permission.delete('orders'), order, AccessDenialReason.ScopeViolation);
  assert.equal(emitted.map(bodyOf), [
    { scope, roles: ['clerk'], permissions: ['orders:write'], source: 'jwt', timestamp },
    {
      resourceType: 'Order',
      resourceId: '7',
      usedPermission: 'orders:write',
      accessFilter: ScopeFilters.Tenant | ScopeFilters.User,
      scope,
      timestamp,
    },
    {
      resourceType: 'Order',
      resourceId: '7',
      requiredPermission: 'orders:delete',
      callerPermissions: ['orders:write'],
      callerRoles: ['clerk'],
      scope,
      reason: 'ScopeViolation',
      timestamp,
    },
  ]);
  const metadata = { tenantId: 'acme', userId: 'ann', allowedPrincipals: 'team:sales' };
  assert.equal(
    emitted.map(({ context }) => context),
    [{ scope: metadata }, { scope: metadata }, { scope: metadata }],
  );
});

test('grants are coalesced by identity, permission, resource type and filter', () => {
  const { clock, recorder, emitted, summary } = recording();
  const { Tenant, None } = ScopeFilters;
  for (let n = 0; n < 100; n++) recorder.granted(ann(), write, { type: 'Order', id: `${n}` }, Tenant);
  recorder.granted(ann(), write, { type: 'Invoice' }, Tenant);
  recorder.granted(ann(), write, order, None);
  recorder.granted(ann({ source: 'api-key:svc_1' }), write, order, Tenant);
  clock.advance(minute);
  assert.equal(
    emitted.map(({ context: { count = 1 } }) => count),
    [1, 1, 1, 1, 99],
  );
  const last = emitted.at(-1);
  assert.is(last && bodyOf(last)['resourceId'], undefined, 'many resources have no single id');
  summary();
  clock.advance(minute);
  assert.equal(summary(), []);
});

test('the first ten denials of a minute are single events, the rest one', () => {
  const { clock, recorder, summary } = recording();
  for (let n = 0; n < 500; n++) recorder.denied(ann(), write, order, InsufficientPermission);
  clock.advance(minute);
  assert.equal(summary(), [...Array<string>(10).fill('AccessDenied 1'), 'AccessDenied 490']);
});

test('callers without an identity share one window per permission', () => {
  const { clock, recorder, emitted, summary } = recording();
  for (let n = 0; n < 1_000; n++)
    recorder.denied(undefined, write, { type: `type ${n}` }, InsufficientPermission);
  const [first] = emitted;
  assert.equal(first?.context, {});
  assert.equal(first && bodyOf(first)['callerRoles'], []);
  clock.advance(minute);
  assert.is(summary().length, 11);
});

test('callers without an identity are counted by their address', () => {
  const { clock, recorder, summary } = recording();
  for (const address of ['203.0.113.5', '203.0.113.6'])
    for (let n = 0; n < 12; n++)
      recorder.denied(undefined, write, order, InsufficientPermission, { address });
  clock.advance(minute);
  const single = Array<string>(20).fill('AccessDenied 1');
  assert.equal(summary(), [...single, 'AccessDenied 2', 'AccessDenied 2']);
});

test('each event has the correlation id of its request; one that stands for several, of the last', () => {
  const { clock, recorder, emitted } = recording();
  for (const correlationId of ['first', 'second', 'third']) {
    recorder.established(ann(), { correlationId });
    recorder.granted(ann(), write, order, ScopeFilters.None, { correlationId });
    recorder.denied(undefined, write, order, InsufficientPermission, { correlationId });
  }
  clock.advance(minute);
  assert.equal(
    emitted.map(({ event, context }) => `${event.constructor.name} ${context.correlationId}`),
    [
      ...['ScopeContextEstablished first', 'AccessGranted first', 'AccessDenied first'],
      ...['AccessDenied second', 'AccessDenied third'],
      ...['ScopeContextEstablished third', 'AccessGranted third'],
    ],
  );
});

test('an identity that is established again within a minute is counted', () => {
  const { clock, recorder, summary } = recording();
  for (let n = 0; n < 3; n++) recorder.established(ann());
  recorder.established(ann({ scope: { tenantId: 'other', userId: 'ann' } }));
  clock.advance(minute);
  assert.equal(summary(), [
    'ScopeContextEstablished 1',
    'ScopeContextEstablished 1',
    'ScopeContextEstablished 2',
  ]);
});

test('stopping emits what waits, and resolves when it is stored', async () => {
  let store = (): void => undefined;
  let events = 0;
  const emit = () => {
    events++;
    return new Promise<void>((resolve) => (store = resolve));
  };
  const recorder = new SecurityEventRecorder({ ...fakeClock(), emit });
  recorder.established(ann());
  store();
  recorder.established(ann());
  let isStopped = false;
  const stopping = recorder.stop().then(() => (isStopped = true));
  await new Promise(setImmediate);
  assert.equal([events, isStopped], [2, false]);
  store();
  await stopping;
});

test('without system events nothing is stored and nothing fails', async () => {
  const emitter = new NoOpSystemEventEmitter();
  const emit = (event: SystemMessage, context: SystemMessageContext) =>
    emitter.emit(event, undefined, undefined, context);
  const recorder = new SecurityEventRecorder({ ...fakeClock(), emit });
  recorder.established(ann());
  recorder.established(ann());
  await recorder.stop();
});
