import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Problem } from '../../../contracts/problems.js';
import { targetsAgainst, type EarlierBuild, buildCommit, contendersOf } from './earlier-build.js';

const test = suite('bench builds');

const earlier: EarlierBuild = { label: '1a2b3c4', fileOf: (ours) => `/earlier${ours}` };
const all = [
  { name: 'plain', script: '/plain.js' },
  { name: 'ours', script: '/ours.js', isOurs: true },
  { name: 'peer', script: '/peer.js', isPeer: true },
];
const moved = (each: (typeof all)[number], { fileOf }: EarlierBuild) => ({
  ...each,
  script: fileOf(each.script),
});

test('against an earlier build our variants are listed side by side, and peers are left out', () => {
  const scripts = contendersOf(all, earlier, moved).map(({ name, script }) => [name, script]);
  assert.equal(scripts, [
    ['plain', '/plain.js'],
    ['ours', '/ours.js'],
    ['ours, 1a2b3c4', '/earlier/ours.js'],
  ]);
});

test('without an earlier build all variants are measured', () => {
  assert.is(contendersOf(all, undefined, moved), all);
});

test('each of our variants is compared with itself in the earlier build', () => {
  assert.equal(targetsAgainst(['ours'], earlier, { figure: 'req/s', atLeast: 0.97 }), [
    { figure: 'req/s', atLeast: 0.97, of: 'ours', against: 'ours, 1a2b3c4' },
  ]);
});

test('a commit that git does not know is refused by name', async () => {
  const error = await buildCommit('no-such-commit', () => undefined).catch((cause: unknown) => cause);
  assert.ok(error instanceof Problem && error.message.includes("no commit 'no-such-commit'"));
});

test.run();
