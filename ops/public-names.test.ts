import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';

const test = suite('public names');

const byFolder: Readonly<Record<string, readonly string[]>> = {
  contracts: [
    'Command',
    'Event',
    'SystemEvent',
    'CommandEndpoint',
    'AuditEvent',
    'Sensitive',
    'SystemEventOptions',
    'AuditMode',
    'AuditLevel',
    'SystemEventStreams',
    'AuditTopic',
    'Permission',
    'ScopeFilters',
    'MigrationStatus',
    'MigrationStrategy',
    'MigrationFailureReason',
    'Problem',
    'EventAudited',
    'CommandAudited',
    'ScopeContextEstablished',
    'PermissionChanged',
    'AccessGranted',
    'AccessDenied',
    'PerspectiveRebuildStarted',
    'PerspectiveRebuildProgress',
    'PerspectiveRebuildCompleted',
    'PerspectiveRebuildFailed',
    'PerspectiveRewindStarted',
    'PerspectiveRewindCompleted',
    'StreamRewindStarted',
    'StreamRewindCompleted',
    'MigrationItemStarted',
    'MigrationItemCompleted',
    'MigrationItemFailed',
    'MigrationBatchStarted',
    'MigrationBatchCompleted',
    'CommandFailed',
    'HookFailed',
    'PerspectiveFailed',
    'ReactionFailed',
    'MessageDeadLettered',
    'OperatorActed',
    'DeploymentStarted',
    'DeploymentStageReached',
    'DeploymentCompleted',
    'DeploymentReverted',
    'FlagChanged',
    'StoreWentBack',
    'SegmentSealed',
    'EventsImported',
    'StoreTrusted',
    'StoreKeyRotated',
    'SubjectForgotten',
    'ProcessStarted',
    'ProcessEnded',
    'TimersMissed',
    'ScheduleMissed',
    'OriginWentBack',
    'Upcasters',
  ],
  runtime: [
    'addService',
    'postgresEventStore',
    'addUpcasters',
    'AuditingEventStore',
    'NoOpSystemEventEmitter',
    'SystemEventTransportFilter',
    'verifyChain',
  ],
  actors: [
    'addSystemEvents',
    'addSystemEventAuditing',
    'decorateEventStoreWithAuditing',
    'addServicePerspectives',
    'CommandAuditBehavior',
    'SystemEventEmitterActor',
    'processSetup',
    'shape',
    'addAmqpBrokerHealthChecks',
    'addHealthCheck',
  ],
  endpoints: ['MutationEndpointBase', 'RestMutationEndpointBase', 'verifyWebhook'],
};

const forTests = ['InMemoryEventStore', 'eventStoreContract', 'given', 'fakeClock'];

const importedFrom = async (name: string) => (await import(name)) as Readonly<Record<string, unknown>>;

for (const [folder, names] of Object.entries(byFolder)) {
  test(`the names of ${folder} can be imported from svc-runtime/${folder}, and from svc-runtime or svc-runtime/system-events, as the same values`, async () => {
    const own = await importedFrom(`svc-runtime/${folder}`);
    const root = await importedFrom('svc-runtime');
    const systemEvents = await importedFrom('svc-runtime/system-events');
    for (const name of names) {
      assert.ok(own[name] !== undefined, name);
      const offered = [root[name], systemEvents[name]].filter((value) => value !== undefined);
      assert.ok(offered.length > 0 && offered.every((value) => value === own[name]), name);
    }
  });
}

test('every system message of the runtime can be imported from svc-runtime/contracts and svc-runtime/system-events', async () => {
  const contracts = await importedFrom('svc-runtime/contracts');
  const systemEvents = await importedFrom('svc-runtime/system-events');
  const all = contracts['systemMessages'] as ReadonlyMap<string, unknown>;
  assert.ok(all.size > 30);
  for (const [name, type] of all) assert.ok(contracts[name] === type && systemEvents[name] === type, name);
});

test('the testing names can be imported from svc-runtime/testing only', async () => {
  const own = await importedFrom('svc-runtime/testing');
  const all = await importedFrom('svc-runtime');
  for (const name of forTests) assert.equal([own[name] !== undefined, name in all], [true, false], name);
});
