import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { seedsWithin } from '../../contracts/testing/seeds.js';
import { suite } from '../../contracts/testing/suite.js';
import { withSources } from '../testing/source-tree.js';
import { Generator } from './generate.js';
import { command } from './testing/diagnose.js';

const test = suite('generator');

/** A file of the service after an edit; undefined: the file does not exist. */
interface Edit {
  readonly file: string;
  readonly text: string | undefined;
}

async function apply({ file, text }: Edit, dir: string): Promise<void> {
  if (text === undefined) await rm(join(dir, file), { force: true });
  else await writeFile(join(dir, file), text);
}

const fields = [
  'id!: Uuid;',
  '/** How many. @minimum 1 */ count?: Int;',
  "kind: 'small' | 'large' = 'small';",
  'address!: Address;',
  'payment?: Payment | null;',
  'inline!: { a: string; b?: Int }[];',
  'page?: Page<Address>;',
  '/** @sensitive */ secret?: string;',
  'when!: Date;',
] as const;

const header = `import { Command, CommandEndpoint, Event, type Dispatcher, type Receptor, type Perspective, type Uuid, type Int } from 'svc-runtime/contracts';
import type { Address, Page, Payment } from './shared.js';
import { Base } from './base.js';
`;

/** A command with that name; names and routes collide now and then. */
const commandFile = (name: string, members: readonly string[], result: string, parent: string): string =>
  `${header}
@CommandEndpoint<${name}, ${result}>({ restRoute: '/${name.toLowerCase()}', graphQLMutation: 'do${name}' })
export class ${name} extends ${parent} {
  ${members.join('\n  ')}
}
export class ${name}Done extends Event { ${members[0] ?? ''} }
`;

const receptorFile = (handled: readonly string[], dependency: string): string =>
  `import type { Receptor } from 'svc-runtime/contracts';
${handled.map((name, index) => `import type { ${name} } from './${'abc'[index] ?? ''}.js';`).join('\n')}
export interface Clock { now(): string }
export interface Watch { now(): string }
${handled
  .map(
    (name, index) => `export class ${name}Receptor implements Receptor<${name}, never> {
  constructor(readonly clock: ${index === 0 ? 'Clock' : dependency}) {}
  handle(): never { throw new Error('none'); }
}`,
  )
  .join('\n')}
`;

const sharedFile = (address: readonly string[], variants: readonly string[]): string =>
  `import type { Uuid, Int } from 'svc-runtime/contracts';
export interface Address { ${address.join(' ')} }
export interface Card { method: 'card'; number: string }
export interface Transfer { method: 'transfer'; iban: string }
export interface Cash { method: 'cash' }
export type Payment = ${variants.join(' | ')};
export interface Page<T> { items: T[]; next?: { after: Uuid } }
`;

const baseFile = (member: string): string =>
  `import { Command } from 'svc-runtime/contracts';
export abstract class Base extends Command { ${member} }
`;

const names = fc.constantFrom('Open', 'Close', 'Move');
const results = fc.constantFrom('void', 'Address', '{ id: Uuid }', 'Payment');

const commandEdit = fc
  .tuple(
    fc.constantFrom('a.ts', 'b.ts', 'c.ts'),
    names,
    fc.subarray([...fields.slice(0, -1)], { minLength: 1 }),
    results,
    fc.constantFrom('Command', 'Base'),
    fc.constantFrom('', '', '', '', fields.at(-1) ?? '', '}}'),
  )
  .map(([file, name, members, result, parent, mistake]) => ({
    file,
    text: commandFile(name, [...members, mistake], result, parent),
  }));

const otherEdit = fc.oneof(
  fc.constantFrom('a.ts', 'b.ts', 'shared.ts', 'base.ts').map((file) => ({ file, text: undefined })),
  fc
    .tuple(
      fc.subarray(['street: string;', 'zip?: string;', 'floor: Int;'], { minLength: 1 }),
      fc.shuffledSubarray(['Card', 'Transfer', 'Cash'], { minLength: 2 }),
    )
    .map(([address, variants]) => ({ file: 'shared.ts', text: sharedFile(address, variants) })),
  fc
    .tuple(fc.shuffledSubarray(['Open', 'Close', 'Move']), fc.constantFrom('Clock', 'Watch'))
    .map(([handled, dependency]) => ({ file: 'receptors.ts', text: receptorFile(handled, dependency) })),
  fc
    .constantFrom('', 'tenant?: string;', 'origin!: { host: string };')
    .map((member) => ({ file: 'base.ts', text: baseFile(member) })),
  fc
    .constantFrom(undefined, 'interface Ambient { a: string }', 'export class Address {}', 'export const {{')
    .map((text) => ({ file: 'other.ts', text })),
);

/** A service without mistakes, to begin with. */
const untouched: readonly Edit[] = [
  { file: 'a.ts', text: commandFile('Open', [fields[0], fields[3], fields[4]], 'Address', 'Base') },
  { file: 'b.ts', text: commandFile('Close', [fields[0], fields[5]], 'Payment', 'Base') },
  { file: 'c.ts', text: commandFile('Move', [fields[1], fields[2], fields[6]], 'void', 'Command') },
  { file: 'shared.ts', text: sharedFile(['street: string;'], ['Card', 'Transfer']) },
  { file: 'base.ts', text: baseFile('origin!: { host: string };') },
  { file: 'receptors.ts', text: receptorFile(['Open', 'Close', 'Move'], 'Clock') },
];

/** Edits, some of which fix what an earlier one broke. */
const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: commandEdit },
    { weight: 2, arbitrary: otherEdit },
    { weight: 3, arbitrary: fc.constantFrom(...untouched) },
  ),
  { minLength: 3, maxLength: 8 },
);

const info = { title: 'orders', version: '1.0.0' };
const sources = Object.fromEntries(untouched.map(({ file, text }) => [file, text ?? '']));

/** The files without mistakes, otherwise the mistakes. */
const outcome = (generator: Generator) => {
  const generated = generator.run();
  return generated.ok ? generated.files : generated.diagnostics;
};

test('an unchanged tree is generated again from the same findings', () =>
  withSources(sources, (dir) => {
    const generator = new Generator(dir, info);
    const first = generator.run();
    assert.ok(first.ok, JSON.stringify(first));
    assert.equal(generator.run(), first);
  }));

for (const options of ['', '{}', '{ restRoute: null, graphQLMutation: null }']) {
  test(`a command marked with (${options}) has a receptor and no endpoint`, () =>
    withSources({ 'ping.ts': command('Ping', options, 'id!: Uuid;') }, (dir) => {
      const generated = new Generator(dir, info).run();
      assert.ok(generated.ok, JSON.stringify(generated));
      const texts = new Map(generated.files.map(({ path, text }) => [path, text]));
      assert.not.ok([...texts.keys()].some((path) => path.includes('endpoint')));
      const registry = texts.get('generated/registry.ts') ?? '';
      assert.match(registry, /endpoints: \[\],/);
      assert.match(registry, /receptor<Ping, void>\(Ping, new PingReceptor\(\)\)/);
      assert.not.match(texts.get('generated/client.ts') ?? '', /Ping|ping/);
      assert.not.match(texts.get('generated/codecs.ts') ?? '', /Ping/);
      assert.not.match(texts.get('generated/openapi.json') ?? '', /Ping/);
    }));
}

test('after any edit a running generator gives the result of a new one', () =>
  fc.assert(
    fc.asyncProperty(edits, (list) =>
      withSources(sources, async (dir) => {
        const running = new Generator(dir, info);
        running.run();
        running.rehearse();
        for (const edit of list) {
          await apply(edit, dir);
          assert.equal(outcome(running), outcome(new Generator(dir, info)));
        }
      }),
    ),
    seedsWithin(3, 12, 30_000),
  ));
