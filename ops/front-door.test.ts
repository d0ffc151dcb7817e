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

const names = words(`
  Addition AuditEvent AuditLevel Behavior Command CommandEndpoint Decider Decimal Decimals Dispatcher Duration Effect EffectCall
  EffectRefused Envelope
  Event EventStore HealthCheck Int Json Long MutationContext MutationEndpointBase Permission Perspective
  PerspectiveScope Problem Process Reaction RebuildMode Receptor RestMutationEndpointBase Schedule ScopeFilters
  Sensitive Service ServiceDefinition StoredEvent SystemEvent Timestamp TryLater UnitOfWork Upcaster Upcasters Uuid
  addAmqpBrokerHealthChecks addHealthCheck addService addServicePerspectives addSystemEventAuditing addSystemEvents
  addUpcasters decorateEventStoreWithAuditing guard guardedFetch isEventOf later mapHealthPaths namedUuid newUuid
  ownRoute postgresEventStore processSetup published shape unschedule verifyWebhook webhookSender`);

test('svc-runtime exports these names, and at most 70', () => {
  assert.equal(exported.map(({ name }) => name).toSorted(), names.toSorted());
  assert.ok(exported.length <= 70, String(exported.length));
});

test('svc-runtime exports each name explicitly', () => {
  assert.not.match(read('index.ts'), /export (?:type )?\* from/);
});

test('each name has a doc comment with an example of two lines, or three or four where a class needs them', () => {
  const bare = exported.filter(
    ({ isDocumented, exampleLines }) => !isDocumented || exampleLines < 2 || exampleLines > 4,
  );
  assert.equal(
    bare.map(({ name }) => name),
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

/** What an application never writes itself. */
const ofGeneratedCode = [
  'Registry',
  'codec',
  'endpoint',
  'receptor',
  'redaction',
  'registeredRoute',
  'withApprovals',
];

test('generated code and the examples import these names, those of system events, and few more', () => {
  const systemEvents = publicNames('actors/system-events/index.ts', read);
  const known = new Set([...[...exported, ...systemEvents].map(({ name }) => name), ...ofGeneratedCode]);
  const used = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('node_modules'))
    .flatMap((path) => readSource(path, read(`examples/${path}`)).imports)
    .filter(({ specifier }) => /^svc-runtime(?!\/testing)/.test(specifier))
    .flatMap((each) => each.names);
  assert.ok(used.includes('codec') && used.includes('CommandEndpoint'));
  assert.equal(
    [...new Set(used)].filter((name) => !known.has(name)),
    [],
  );
});

test('the lines of an example are counted without its fence', () => {
  const text =
    '/**\n * Marks.\n *\n * @example\n * ```ts\n * @mark()\n * class A {}\n * ```\n */\nexport const mark = 1;';
  assert.is(publicNames('a.ts', () => text)[0]?.exampleLines, 2);
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
