import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withSources } from '../testing/source-tree.js';
import { Generator } from './generate.js';
import { mistakesOf } from './testing/diagnose.js';

const test = suite('generator: processes that callers can see');
const mistake = mistakesOf(test);

const source = (members: string, more = '', states = '{ open: {}, paid: {} }') => `
import { Command, CommandEndpoint, Event, Permission, type Perspective, type Process, processSetup, type Receptor, shape, type StoredEvent, type UnitOfWork, type Uuid } from 'svc-runtime';
export class Opened extends Event { id!: Uuid; }
@CommandEndpoint<Open, void>({ restRoute: '/open' })
export class Open extends Command { id!: Uuid; }
@CommandEndpoint<Shut, void>({ restRoute: '/shut' })
export class Shut extends Command { id!: Uuid; }
export class OpenReceptor implements Receptor<Open, void> {
  handle({ id }: Open, work: UnitOfWork): void { work.append(id, Opened.of({ id })); }
}
export class ShutReceptor implements Receptor<Shut, void> { handle(): void {} }
interface Door { id: Uuid; note: string }
const setup = processSetup({ events: { Opened }, commands: { Shut }, context: shape<Door>() });
const machine = setup.createMachine({ context: { id: '', note: '' }, initial: 'open', states: ${states} });
export class Doors implements Process<typeof machine> {
  readonly name = 'doors';
  readonly version = 1;
  readonly machine = machine;
  readonly starts = [Opened];
  key({ payload }: StoredEvent<Opened>) { return payload.id; }
  ${members}
}
${more}`;

const view = 'view({ note }: Door) { return { note }; }';
const visible = `readonly route = '/doors'; readonly permission = Permission.read('doors'); ${view}`;

const filesOf = (text: string): Promise<ReadonlyMap<string, string>> =>
  withSources({ 'a.ts': text }, (dir) => {
    const generated = new Generator(dir, { title: 'doors', version: '1' }).run();
    assert.ok(generated.ok, JSON.stringify(generated));
    const files = generated.ok ? generated.files : [];
    return new Map(files.map(({ path, text: written }) => [path.split('/').at(-1) ?? '', written]));
  });

test('what callers see of a process is typed, with its states and the command that starts it', async () => {
  const files = await filesOf(source(visible));
  const client = files.get('client.ts') ?? '';
  assert.match(client, 'export type DoorsState = "open" | "paid";');
  assert.match(client, 'export type DoorsView = { note: string };');
  assert.match(client, 'readonly doors: Processes<DoorsInstance, DoorsState>;');
  assert.match(
    client,
    'open(command: Open, options?: CallOptions): Started<void, StartedProcess<DoorsInstance, DoorsState>> {',
  );
  assert.match(client, 'shut(command: Shut, options?: CallOptions): Promise<void> {');
  assert.match(files.get('schema.graphql') ?? '', /door\(key: ID!\): DoorsInstance\n/);
  assert.match(files.get('schema.graphql') ?? '', /enum DoorsState \{\n {2}open\n {2}paid\n\}/);
  const { paths } = JSON.parse(files.get('openapi.json') ?? '') as { paths: Record<string, unknown> };
  assert.ok(paths['/doors/{key}']);
});

test('states inside of others have paths; a state that may be several at once is a text', async () => {
  const nested = '{ open: { initial: "ajar", states: { ajar: {}, wide: {} } }, paid: {} }';
  const client = async (states: string): Promise<string> =>
    (await filesOf(source(visible, '', states))).get('client.ts') ?? '';
  assert.match(await client(nested), '"open" | "open.ajar" | "open.wide" | "paid"');
  const parallel = await client(nested.replace('initial: "ajar"', 'type: "parallel"'));
  assert.match(parallel, 'export type DoorsInstance = { key: string; state: string;');
  assert.match(parallel, 'Processes<DoorsInstance, DoorsState>');
  assert.match(await client('Object.fromEntries([])'), 'Processes<DoorsInstance, string>');
});

test('a process without a route is not seen', async () => {
  const files = await filesOf(source(''));
  assert.not.match(files.get('client.ts') ?? '', 'Processes');
  assert.not.match(files.get('openapi.json') ?? '', '/doors');
});

mistake(
  'a route without a permission',
  'SVC1071',
  source(`readonly route = '/doors'; ${view}`),
  /also needs permission: readonly/,
);
mistake(
  'a route without a permission and a view',
  'SVC1071',
  source("readonly route = '/doors';"),
  /also needs permission and view: readonly/,
);
mistake(
  'a route that is not a literal',
  'SVC1027',
  source(visible.replace("'/doors'", 'String(Math.random())')),
  /route of a process must be a literal/,
);
mistake(
  'a route that a perspective has',
  'SVC1072',
  source(
    visible,
    "export class AllDoors implements Perspective<Door> { readonly name = 'all-doors'; readonly route = '/doors'; readonly events = []; initial(): Door { return { id: '', note: '' }; } apply(door: Door): Door { return door; } }",
  ),
  /'\/doors' of a process is also used at a\.ts/,
);
mistake(
  'a view that JSON cannot express',
  'SVC1015',
  source(visible.replace('{ return { note }; }', ': { at: Date } { return { at: new Date(note) }; }')),
  /Date/,
);
