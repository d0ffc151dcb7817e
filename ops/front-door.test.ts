import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { publicNames } from './testing/structure/public-names.js';
import { readSource } from './testing/structure/source.js';

const test = suite('front door');

const root = fileURLToPath(new URL('../../', import.meta.url));

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const exported = publicNames('index.ts', read);

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The event classes of the specification. */
const specified = words(`
  AccessDenied AccessGranted CommandAudited CommandFailed DeploymentCompleted DeploymentReverted
  DeploymentStageReached DeploymentStarted EventAudited FlagChanged HookFailed MessageDeadLettered
  MigrationBatchCompleted MigrationBatchStarted MigrationItemCompleted MigrationItemFailed MigrationItemStarted
  OperatorActed OriginWentBack PermissionChanged PerspectiveFailed PerspectiveRebuildCompleted PerspectiveRebuildFailed
  PerspectiveRebuildProgress PerspectiveRebuildStarted PerspectiveRewindCompleted PerspectiveRewindStarted
  ProcessEnded ProcessStarted ReactionFailed ScheduleMissed ScopeContextEstablished SegmentSealed StoreTrusted StoreWentBack StreamRewindCompleted StreamRewindStarted
  SubjectForgotten TimersMissed`);

const others = words(`
  AccessDenialReason Addition AuditEvent AuditLevel AuditMode AuditTopic AuditingEventStore Behavior
  Command CommandAuditBehavior CommandEndpoint Decider Decimal DeferredOutbox Dispatcher Duration Envelope Event
  EventStore HealthCheck Int Json Long MigrationFailureReason MigrationStatus MigrationStrategy
  MutationContext MutationEndpointBase NoOpSystemEventEmitter Permission PermissionChangeType Perspective
  PerspectiveScope Problem Process Reaction RebuildMode Receptor Registry RestMutationEndpointBase ScopeFilters Sensitive
  Schedule Service ServiceDefinition StoredEvent SystemEvent SystemEventEmitter SystemEventEmitterActor
  SystemEventOptions SystemEventStreams SystemEventTransportFilter Timestamp UnitOfWork Upcaster Upcasters
  Uuid addAmqpBrokerHealthChecks addHealthCheck addService addServicePerspectives addSystemEventAuditing
  addSystemEvents addUpcasters codec decorateEventStoreWithAuditing endpoint guard isEventOf later mapHealthPaths
  newUuid postgresEventStore processSetup receptor redaction shape unschedule verifyChain verifyWebhook`);

test('svc-runtime exports these names, and at most 80 beside the events of the specification', () => {
  const names = exported.map(({ name }) => name);
  assert.equal(names.toSorted(), [...specified, ...others].toSorted());
  assert.ok(others.length <= 80, String(others.length));
});

test('svc-runtime exports each name explicitly', () => {
  assert.not.match(read('index.ts'), /export (?:type )?\* from/);
});

test('each name has a doc comment', () => {
  assert.equal(
    exported.filter(({ isDocumented }) => !isDocumented).map(({ name }) => name),
    [],
  );
});

test('the folders export each name too', () => {
  const ofFolders = new Set(
    ['contracts', 'runtime', 'actors', 'endpoints'].flatMap((folder) =>
      publicNames(`${folder}/index.ts`, read).map(({ name }) => name),
    ),
  );
  assert.equal(
    exported.map(({ name }) => name).filter((name) => !ofFolders.has(name)),
    [],
  );
});

test('generated code and the examples import these names alone', () => {
  const names = new Set(exported.map(({ name }) => name));
  const used = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('node_modules'))
    .flatMap((path) => readSource(path, read(`examples/${path}`)).imports)
    .filter(({ specifier }) => /^svc-runtime(?!\/testing)/.test(specifier))
    .flatMap((each) => each.names);
  assert.ok(used.includes('codec') && used.includes('CommandEndpoint'));
  assert.equal(
    [...new Set(used)].filter((name) => !names.has(name)),
    [],
  );
});

test('a missing doc comment is found, behind re-exports too, and one comment serves a value and its type', () => {
  const files: Readonly<Record<string, string>> = {
    'index.ts': `export { a, type B, C as D } from './part/one.js'; export * from './part/two.js';
      /** Documented. */ export * as e from './part/one.js'; export * as f from './part/two.js';`,
    'part/one.ts': `/** Documented. */ export const a = 1; export interface B {}\n/** Documented. */ @marked export class C {}`,
    'part/two.ts': `/** Documented. */ export const g = 1; export type g = 1; export function h() {} const i = 1;`,
  };
  assert.equal(
    publicNames('index.ts', (path) => files[path] ?? '').map(({ name, isDocumented }) => [
      name,
      isDocumented,
    ]),
    [
      ['a', true],
      ['B', false],
      ['D', true],
      ['g', true],
      ['h', false],
      ['e', true],
      ['f', false],
    ],
  );
});
