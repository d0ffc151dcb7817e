import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { withSources } from '../../testing/source-tree.js';
import { Compiler } from '../compiler.js';
import { Diagnostics } from '../diagnostics.js';
import { good, mistakesOf } from '../testing/diagnose.js';
import { discover } from './discover-service.js';

const test = suite('discovered flags');
const mistake = mistakesOf(test);

const flagsIn = (source: string): Promise<readonly string[]> =>
  withSources({ 'a.ts': good, 'b.ts': source }, (dir) => {
    const diagnostics = new Diagnostics();
    const { flags } = discover(new Compiler(dir).read(), diagnostics);
    assert.equal(diagnostics.all, []);
    return flags;
  });

test('the flags that receptors and hooks use are listed once each, by name', async () => {
  const flags = await flagsIn(`
import type { MutationContext, UnitOfWork } from 'svc-runtime';
const lane = 'fast-lane';
export const inReceptor = (work: UnitOfWork, { flags }: MutationContext, name: string, few: 'x' | 'y') => [
  work.flags.isOn('gift-wrap'), work.context.flags.isOn("gift-wrap"), flags.isOn(lane),
  flags.isOn(\`beta\`), flags.isOn(few), flags.isOn(name),
];`);
  assert.equal(flags, ['beta', 'fast-lane', 'gift-wrap', 'x', 'y']);
});

test('a method of the same name on something else is no flag', async () => {
  const flags = await flagsIn(`
export const lamp = { isOn: (room: string) => room === 'hall' };
export const lit = lamp.isOn('hall');`);
  assert.equal(flags, []);
});

mistake(
  'a name that no flag can have',
  'SVC1043',
  `${good}
import type { UnitOfWork } from 'svc-runtime';
export const wraps = (work: UnitOfWork) => work.flags.isOn('gift wrap');`,
  /'gift wrap' cannot be the name of a flag; use up to 100 letters, digits and/,
);
