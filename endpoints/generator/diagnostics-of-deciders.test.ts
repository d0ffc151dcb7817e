import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withSources } from '../testing/source-tree.js';
import { loadCompiled } from './emit/testing/compile.js';
import type { Registry } from '../service-definition.js';
import { Generator } from './generate.js';
import { command, diagnose, good, mistakesOf } from './testing/diagnose.js';

const test = suite('generator diagnostics of deciders, reactions, processes and schedules');
const mistake = mistakesOf(test);

const open = `
import { Command, CommandEndpoint, type Decider, Event, type Reaction, type Schedule, type StoredEvent, type Uuid } from 'svc-runtime';
export class Booked extends Event { accountId!: Uuid; }
@CommandEndpoint<Book, { accountId: Uuid }>({ restRoute: '/book' })
export class Book extends Command { accountId!: Uuid; }
@CommandEndpoint<Close, void>()
export class Close extends Command { accountId!: Uuid; }
const commands = { Book, Close };
`;
const decider = (name = 'account', type = 'Account', extra = '') => `
export class ${type} implements Decider<{ open: boolean }, Booked, typeof commands> {
  readonly name = '${name}';
  readonly version = 1;
  readonly commands = commands;
  ${extra}
  stream({ accountId }: Book | Close) { return accountId; }
  initial() { return { open: true }; }
  evolve(state: { open: boolean }) { return state; }
  readonly decide = {
    Book: ({ accountId }: Book) => ({ events: Booked.of({ accountId }), result: { accountId } }),
    Close: () => [],
  };
}
`;
const reaction = (name: string, events = 'Booked', type = 'CloseBooked') => `
export class ${type} implements Reaction<Booked> {
  readonly name = '${name}';
  readonly events = [${events}];
  react({ payload }: StoredEvent<Booked>) { return Close.of({ accountId: payload.accountId }); }
}
`;
const schedule = (cron: string, timeZone = 'Europe/Berlin') => `
export class Nightly implements Schedule {
  readonly name = 'nightly';
  readonly cron = '${cron}';
  readonly timeZone = '${timeZone}';
  command() { return Close.of({ accountId: '' }); }
}
`;
const process = (events: string, starts = 'Booked') => `
import { processSetup, type Process, shape } from 'svc-runtime';
import { CommandAudited, EventAudited } from 'svc-runtime/system-events';
const machine = processSetup({ events: ${events}, commands: { Close }, context: shape<{ at: string }>() }).createMachine({
  context: { at: '' },
});
export class Closing implements Process<typeof machine> {
  readonly name = 'closing';
  readonly version = 1;
  readonly machine = machine;
  readonly starts = [${starts}];
  key({ streamId }: StoredEvent) { return streamId; }
}
`;

const everything = open + decider() + reaction('close-booked') + schedule('30 2 * * *');

test('deciders, reactions and schedules are registered, and what is generated compiles', () =>
  withSources({ 'a.ts': everything }, async (dir) => {
    const generated = new Generator(dir, { title: 'accounts', version: '1' }).run();
    assert.ok(generated.ok, JSON.stringify(generated));
    const files = generated.ok ? generated.files : [];
    const sources = files.filter(({ path }) => path.endsWith('.ts') && !path.endsWith('client.ts'));
    const { create } = await loadCompiled(
      new Map([['a', everything], ...sources.map(({ path, text }) => [path.slice(0, -3), text] as const)]),
      'generated/registry',
    );
    const registry = (create as (dispatcher: unknown) => Registry)({});
    assert.equal(
      registry.deciders?.map(({ decider: { name }, results }) => ({ name, results })),
      [{ name: 'account', results: { Book: 'BookResult' } }],
    );
    const names = [registry.reactions, registry.schedules].map((list) => list?.map(({ name }) => name));
    assert.equal(names, [['close-booked'], ['nightly']]);
  }));

test('a process is registered', () =>
  withSources({ 'a.ts': open + decider() + process('{ Booked }') }, (dir) => {
    const generated = new Generator(dir, { title: 'accounts', version: '1' }).run();
    const files = generated.ok ? generated.files : [];
    const registry = files.find(({ path }) => path.endsWith('registry.ts'));
    assert.match(registry?.text ?? '', /processes: \[\n +new Closing\(\),\n +\]/);
  }));

mistake(
  'a decider whose name is not kebab-case',
  'SVC1046',
  open + decider('My Account'),
  /'My Account' of a decider must be in kebab-case/,
);
mistake(
  'a reaction whose name is not kebab-case',
  'SVC1046',
  open + decider() + reaction('closeBooked'),
  /'closeBooked' of a reaction must be/,
);
mistake(
  'two reactions of one name',
  'SVC1047',
  open + decider() + reaction('a-b') + reaction('a-b', 'Booked', 'Other'),
  /the name 'a-b' is also used at a\.ts\(\d+,\d+\)/,
);
mistake(
  'a reaction with the name of a process',
  'SVC1047',
  open + decider() + reaction('closing') + process('{ Booked }'),
  /the name 'closing' is also used/,
);
mistake(
  'an audit that triggers a reaction',
  'SVC1048',
  open +
    decider() +
    "import { EventAudited } from 'svc-runtime/system-events';" +
    reaction('a', 'Booked, EventAudited'),
  /EventAudited cannot trigger anything/,
);
mistake(
  'an audit that starts a process',
  'SVC1048',
  open + decider() + process('{ Booked }', 'CommandAudited'),
  /CommandAudited cannot trigger/,
);
mistake(
  'an audit that a process waits for',
  'SVC1048',
  open + decider() + process('{ Booked, EventAudited }'),
  /EventAudited cannot trigger/,
);
mistake(
  'a key of a process that is not the name of its class',
  'SVC1049',
  open + decider() + process('{ Paid: Booked }'),
  /'Paid' must be the name of its class, Booked; write \{ Booked \}/,
);
mistake(
  'a command with a receptor and a decider',
  'SVC1010',
  `${open + decider()}
import type { Receptor } from 'svc-runtime';
export class CloseReceptor implements Receptor<Close, void> { handle(): void {} }`,
  /Close has another receptor at a\.ts/,
);
mistake(
  'a decider of something that is no command',
  'SVC1050',
  (open + decider()).replace('@CommandEndpoint<Close, void>()', ''),
  /'Close' is not a command; give its class @CommandEndpoint/,
);
mistake(
  'a cron that never fires',
  'SVC1051',
  open + decider() + schedule('0 0 30 2 *'),
  /cron '0 0 30 2 \*' never occurs/,
);
mistake(
  'a cron that cannot be read',
  'SVC1051',
  open + decider() + schedule('61 * * * *'),
  /cron '61 \* \* \* \*' cannot be read/,
);
mistake(
  'an unknown time zone',
  'SVC1051',
  open + decider() + schedule('0 0 * * *', 'Berlin'),
  /timeZone 'Berlin' is not known/,
);
mistake(
  'a decider that is not exported',
  'SVC1025',
  open + decider().replace('export class', 'class'),
  /must be an exported class/,
);

test('a decider that handles a command needs no receptor, and one that handles another does not help', async () => {
  assert.equal(await diagnose({ 'a.ts': open + decider(), 'b.ts': good }), []);
  const lines = await diagnose({
    'a.ts': open + decider(),
    'b.ts': command('Pay', '{}').replace(/export class PayReceptor[\s\S]*/, ''),
  });
  assert.is(lines.length, 1, lines.join('\n'));
  assert.match(lines[0] ?? '', 'no receptor handles Pay');
});
