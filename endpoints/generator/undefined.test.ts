import * as assert from 'uvu/assert';
import type { Fault } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { withSources } from '../testing/source-tree.js';
import { loadCompiled } from './emit/testing/compile.js';
import { Generator } from './generate.js';

const test = suite('undefined members');

const source = `
import { Command, CommandEndpoint, Event, type Int, type Receptor, Sensitive } from 'svc-runtime';

export interface Address {
  street: string;
  floor: Int | undefined;
  door?: string | undefined;
  bell: { name: string | undefined; loud: boolean | undefined } | undefined;
  kind: 'home' | 'work' | null | undefined;
}
export interface Moved {
  note: string | undefined;
  address: Address;
  rooms: { size: Int | undefined; use?: string | undefined }[];
  names: Record<string, string | undefined>;
}

@CommandEndpoint<Move, Moved>({ restRoute: '/move', graphQLMutation: 'move' })
export class Move extends Command {
  note!: string | undefined;
  address!: Address;
}
export class MoveReceptor implements Receptor<Move, Moved> {
  handle({ note, address }: Move): Moved {
    return { note, address, rooms: [], names: {} };
  }
}

@CommandEndpoint<Ask, { answer: string | undefined; why?: string | undefined }>({ restRoute: '/ask' })
export class Ask extends Command {}
export class AskReceptor implements Receptor<Ask, { answer: string | undefined; why?: string | undefined }> {
  handle() {
    return { answer: undefined, why: undefined };
  }
}

export class Left extends Event {
  why!: string | undefined;
  @Sensitive() to!: Address | undefined;
}`;

/** The generated and compiled codecs of the service; a compiler error is a failure. */
const codecs = await withSources({ 'commands.ts': source }, async (dir) => {
  const generated = new Generator(dir, { title: 'homes', version: '1.0.0' }).run();
  assert.ok(generated.ok, JSON.stringify(generated));
  const files = generated.files
    .filter(({ path }) => path.endsWith('.ts') && !path.endsWith('client.ts'))
    .map(({ path, text }): [string, string] => [path.slice(0, -3), text]);
  return loadCompiled(new Map([...files, ['commands', source]]), 'generated/codecs');
});

const decode = codecs['decodeMove'] as (value: unknown, path: string, faults: Fault[]) => object;
const encode = codecs['encodeMoved'] as (value: unknown) => string;

test('a member that may be undefined may be left out', () => {
  const faults: Fault[] = [];
  const { address } = decode({ address: { street: 'Main St' } }, '', faults) as { address: object };
  assert.equal(faults, []);
  assert.equal(JSON.parse(JSON.stringify(address)), { street: 'Main St' });
});

test('a value for it is accepted, and checked', () => {
  const faults: Fault[] = [];
  const bell = { name: 'Ada', loud: true };
  const move = decode(
    { note: 'soon', address: { street: 'Main St', floor: 2, bell, kind: null } },
    '',
    faults,
  );
  assert.equal(faults, []);
  assert.equal({ ...move }, { note: 'soon', address: { street: 'Main St', floor: 2, bell, kind: null } });
  decode({ note: 1, address: { street: 'Main St', floor: 'top', bell: {} } }, '', faults);
  assert.equal(
    faults.map(({ path }) => path),
    ['/address/floor', '/note'],
  );
});

test('an undefined member is not encoded', () => {
  const address = { street: 'Main St', floor: undefined, bell: { name: undefined, loud: false }, kind: null };
  const rooms = [{ size: undefined, use: undefined }, { size: 4 }];
  const names = { a: 'Ada', b: undefined };
  assert.equal(JSON.parse(encode({ note: undefined, address, rooms, names })), {
    address: { street: 'Main St', bell: { loud: false }, kind: null },
    rooms: [{}, { size: 4 }],
    names: { a: 'Ada' },
  });
});

for (const [name, type, message] of [
  [
    'an item',
    '{ notes: (string | undefined)[] }',
    "'MoveResult.notes' has items that may be undefined; use null",
  ],
  [
    'a result',
    '{ note: string } | undefined',
    'the result of Move may be undefined; use null, or void for none',
  ],
] as const) {
  test(`${name} must not be undefined`, () =>
    withSources(
      {
        'commands.ts': `import { Command, CommandEndpoint, type Receptor } from 'svc-runtime';
@CommandEndpoint<Move, ${type}>({ restRoute: '/move' })
export class Move extends Command {}
export class MoveReceptor implements Receptor<Move, ${type}> { handle(): never { throw new Error(); } }`,
      },
      (dir) => {
        const generated = new Generator(dir, { title: 'homes', version: '1.0.0' }).run();
        assert.equal(generated.ok ? [] : generated.diagnostics.map((diagnostic) => diagnostic.message), [
          message,
        ]);
      },
    ));
}
