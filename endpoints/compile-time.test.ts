import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { Generator } from './generator/generate.js';
import { differenceOf, writeDifference } from './generator/write-generated-files.js';
import { repository, withSources } from './testing/source-tree.js';

const test = suite('compile-time errors');

const source = `
import { Command, CommandEndpoint, Event, type Perspective, type Process, processSetup, type Receptor, shape, type StoredEvent, type UnitOfWork, type Uuid } from 'svc-runtime';
export class Greeted extends Event { id!: Uuid; }
export class GreetRequest { who!: string; }
export interface GreetResult { text: string }
@CommandEndpoint<Greet, GreetResult>({ restRoute: '/greet' })
export class Greet extends Command { name!: string; }
export class GreetReceptor implements Receptor<Greet, GreetResult> {
  handle({ name }: Greet, work: UnitOfWork): GreetResult {
    work.append(name, Greeted.of({ id: name }));
    return { text: name };
  }
}
@CommandEndpoint<Wave, void>({ restRoute: '/wave', requestType: GreetRequest })
export class Wave extends Command { id!: Uuid; }
export class WaveReceptor implements Receptor<Wave, void> {
  constructor(readonly hand: Hand) {}
  handle(): void { this.hand.raise(); }
}
const machine = processSetup({ events: { Greeted }, commands: { Greet }, context: shape<GreetResult>() })
  .createMachine({ context: { text: '' }, initial: 'open', states: { open: {}, left: { type: 'final' } } });
export class Talk implements Process<typeof machine> {
  readonly name = 'talk';
  readonly version = 1;
  readonly machine = machine;
  readonly starts = [Greeted];
  readonly route = '/talks';
  readonly permission = 'authenticated';
  key({ streamId }: StoredEvent) { return streamId; }
  view({ text }: GreetResult): { words: string } { return { words: text }; }
}
export interface Hand { raise(): void }
export class Greetings implements Perspective<GreetResult> {
  readonly name = 'greetings';
  readonly route = '/greetings';
  readonly events = [];
  readonly columns = { text: 'text' } as const;
  initial(): GreetResult { return { text: '' }; }
  apply(greeting: GreetResult): GreetResult { return greeting; }
}
export class Visits implements Perspective<GreetResult> {
  readonly name = 'visits';
  readonly events = [];
  readonly late = 'apply';
  readonly columns = { text: 'text', length: { type: 'integer', of: ({ text }: GreetResult) => text.length } } as const;
  key(): readonly string[] { return ['door', 'gate']; }
  apply(visit: GreetResult | undefined, _: unknown, key: string): GreetResult | null { return visit ?? { text: key }; }
}
`;
const waveEndpoint = `
import { WaveEndpoint as Generated } from './generated/wave.endpoint.js';
import { type GreetRequest, Wave } from './commands.js';
export class WaveEndpoint extends Generated {
  protected override mapRequestToCommand(request: GreetRequest): Wave { return Wave.of({ id: request.who }); }
}`;

/** Generates, compiles with more files in one run of the compiler, and returns its output. */
const compile = (extras: Readonly<Record<string, string>>): Promise<string> =>
  withSources({ 'commands.ts': source, 'wave.endpoint.ts': waveEndpoint }, async (dir) => {
    const generator = new Generator(dir, { title: 'greetings', version: '1.0.0' });
    const generated = generator.run();
    assert.ok(generated.ok, JSON.stringify(generated));
    await writeDifference(dir, await differenceOf(dir, generated.files));
    for (const [name, text] of Object.entries(extras)) await writeFile(join(dir, name), text);
    const tsc = join(repository, 'node_modules/typescript/bin/tsc');
    return spawnSync(process.execPath, [tsc, '-p', dir, '--noEmit'], { encoding: 'utf8', cwd: dir }).stdout;
  });

const greetEndpoint = (body: string) => `
import type { MutationContext } from 'svc-runtime';
import { GreetEndpoint as Generated } from './generated/greet.endpoint.js';
import type { Greet, GreetResult } from './commands.js';
export class Mine extends Generated {
  ${body}
}
export const unused: [MutationContext?, Greet?, GreetResult?] = [];`;

const main = `
  import type { ServiceDefinition } from 'svc-runtime';
  import { create } from './generated/registry.js';
  import { Client } from './generated/client.js';
  export default { name: 'greetings', create: (dispatcher) => create(dispatcher, { hand: { raise: () => {} } }) } satisfies ServiceDefinition;
  const client = new Client({ baseUrl: 'http://127.0.0.1' });
  export const text: Promise<string> = client.greet({ name: 'Ada' }, { idempotencyKey: 'k' }).then((result) => result.text);
  export const words = async (): Promise<string> => {
    const talk = await client.greet({ name: 'Ada' }).process();
    const { state, view } = await talk.until(talk.key, ['left'], { within: 'PT5M' });
    return state === 'open' ? '' : view.words;
  };
  export const nothing: Promise<void> = client.wave({ who: 'x' });
  export const row: Promise<string> = client.greetings.get('a').then((greeting) => greeting.text);
  export const rows = async function* (): AsyncGenerator<string> {
    const { data } = await client.greetings.list({ filter: { text: { contains: 'a' } }, sort: ['-text'] });
    for (const { text } of data) yield text;
    for await (const { text } of client.greetings.all({ filter: { text: 'a' } })) yield text;
  };`;

test('a correct service compiles', async () => {
  assert.equal(await errorsIn((file) => !file.startsWith('extra-')), []);
});

const perspective = (members: string) => `
import type { Perspective } from 'svc-runtime';
import type { GreetResult } from './commands.js';
export class Mine implements Perspective<GreetResult> {
  readonly name = 'mine';
  readonly events = [];
  ${members}
}`;

const mistakes = [
  [
    'a misspelled hook',
    greetEndpoint('protected override onBeforeExecut(): void {}'),
    /TS4117.*onBeforeExecute/,
  ],
  [
    'a wrong hook parameter',
    greetEndpoint('protected override onBeforeExecute(command: number): void { void command; }'),
    /TS2416/,
  ],
  [
    'a wrong result of the error-hook',
    greetEndpoint(`protected override onError(): GreetResult | null { return { txt: '' }; }`),
    /TS2561.*text/,
  ],
  [
    'a wrong result type of the hook',
    greetEndpoint('protected override onError(): number { return 1; }'),
    /TS2416/,
  ],
  [
    'a missing mapper',
    `import { WaveEndpoint } from './generated/wave.endpoint.js'; export class Mine extends WaveEndpoint {}`,
    /TS2515.*mapRequestToCommand/,
  ],
  [
    'the abstract endpoint itself',
    `import { WaveEndpoint } from './generated/wave.endpoint.js'; export const e = new WaveEndpoint(null as never);`,
    /TS2511/,
  ],
  [
    'a missing dependency',
    `import { create } from './generated/registry.js'; export const r = create(null as never, {});`,
    /TS2345|TS2741/,
  ],
  [
    'a wrong client call',
    `import { Client } from './generated/client.js'; export const c = (x: Client) => x.greet({ nam: 'Ada' });`,
    /TS2561.*name/,
  ],
  [
    'a filter by a column that is not declared',
    `import { Client } from './generated/client.js'; export const c = (x: Client) => x.greetings.list({ filter: { txt: 'a' } });`,
    /TS2561.*text/,
  ],
  [
    'a state that a process does not have',
    `import { Client } from './generated/client.js'; export const c = (x: Client) => x.talks.until('a', ['let']);`,
    /TS2820|TS2322/,
  ],
  [
    'the process of a command that starts none',
    `import { Client } from './generated/client.js'; export const c = (x: Client) => x.wave({ who: 'x' }).process();`,
    /TS2339.*process/,
  ],
  [
    'a sort by a column that is not declared',
    `import { Client } from './generated/client.js'; export const c = (x: Client) => x.greetings.all({ sort: ['-txt'] });`,
    /TS2820|TS2322/,
  ],
  [
    'a receptor with another result',
    `import type { Receptor } from 'svc-runtime'; import type { Greet } from './commands.js'; export class R implements Receptor<Greet, number> { handle(): string { return ''; } }`,
    /TS2416/,
  ],
  [
    'a perspective without an initial row that does not expect to start without one',
    perspective('apply(row: GreetResult): GreetResult { return row; }'),
    /TS2416.*'apply'/,
  ],
  [
    'a perspective with an initial row of another type',
    perspective('initial() { return { txt: 1 }; } apply(row: GreetResult): GreetResult { return row; }'),
    /TS2416/,
  ],
  [
    'a column of an unknown type',
    perspective(
      "readonly columns = { text: 'string' } as const; apply(): GreetResult { return { text: '' }; }",
    ),
    /TS2416/,
  ],
  [
    'keys that are no texts',
    perspective(
      "readonly late = 'apply'; key() { return [1]; } apply(): GreetResult { return { text: '' }; }",
    ),
    /TS2416/,
  ],
] as const;

const fileOf = (n: number): string => `extra-${n}.ts`;

let output: Promise<string> | undefined;

/** The compiler's errors about some of the files, all of which are compiled together. */
async function errorsIn(isMeant: (file: string) => boolean): Promise<readonly string[]> {
  output ??= compile({
    'main.ts': main,
    ...Object.fromEntries(mistakes.map(([, extra], n) => [fileOf(n), extra])),
  });
  // An indented line explains the error before it.
  const errors = (await output).split('\n').filter((line) => /^\S/.test(line));
  return errors.filter((line) => isMeant(/^([^(]*)\(/.exec(line)?.[1] ?? line));
}

for (const [n, [what, , says]] of mistakes.entries()) {
  test(`${what} is a compile-time error`, async () => {
    assert.match((await errorsIn((file) => file === fileOf(n))).join('\n'), says);
  });
}
