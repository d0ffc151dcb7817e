import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { pageFolders } from '../build/pages.js';
import { affectedBy, importsIn, neededBy, readImports } from './imports.js';
import { readPages } from './page-imports.js';
import { builtRoots, repository } from './roots.js';

const test = suite('imports');

test('What a file imports from beside it is found, in every way of naming it', () => {
  const text = `import { test } from 'uvu';
import './first.js';
import { a } from '../a.js';
export { b } from './deep/b.js';
const c = await import('./c.js');
const program = new URL('../testing/program.js', import.meta.url);`;
  assert.equal(importsIn('ops/host/x.js', text), [
    'ops/host/first.js',
    'ops/a.js',
    'ops/host/deep/b.js',
    'ops/host/c.js',
    'ops/testing/program.js',
  ]);
});

test('An example reaches the package by its entry points', () => {
  const text = `import { Command } from 'svc-runtime';
import { startHost } from "svc-runtime/ops";
import { given } from 'svc-runtime/testing';`;
  assert.equal(importsIn('examples/orders/x.js', text), ['index.js', 'ops/index.js', 'actors/kit/index.js']);
});

test('A test that names the folder of an example needs all of it but its tests, however it names it', async () => {
  for (const text of [
    "loadService(exampleHere('orders'))",
    "start(exampleForProcess('orders'))",
    "new URL('../../examples/orders', import.meta.url)",
    "new URL('../../examples/orders/dist/main.js', import.meta.url)",
    "join(repository, 'examples/orders')",
  ])
    assert.ok(importsIn('ops/host/x.test.js', text).includes('examples/orders'), text);
  const imports = await readImports(await builtRoots());
  assert.ok(neededBy('examples/two-services', imports).has('examples/two-services/shop/main.js'));
  assert.equal(
    imports.get('examples/orders')?.filter((file) => file.endsWith('.test.js')),
    [],
  );
});

test('A module that reads a page needs it, and the page what it is bundled from', async () => {
  const imports = new Map([...(await readImports(await builtRoots())), ...(await readPages(repository))]);
  const readers = pageFolders.map((page) => [...imports.values()].filter((all) => all.includes(page)).length);
  assert.equal(
    readers,
    pageFolders.map(() => 1),
  );
  const console = neededBy('ops/console/server/page-files.js', imports);
  assert.ok(console.has('ops/console/model/format.js'));
  assert.ok(neededBy('endpoints/graphql/page.js', imports).has('endpoints/http/page-base.css'));
});

test('A file needs what its imports need, also where imports form a cycle', () => {
  const imports = new Map([
    ['a', ['b']],
    ['b', ['c', 'a']],
    ['d', ['a']],
  ]);
  assert.equal([...neededBy('a', imports)], ['a', 'b', 'c']);
});

test('A change runs the tests that need it, directly or by what they import, and no other', () => {
  const imports = new Map([
    ['a.test.js', ['a.js']],
    ['b.test.js', ['b.js']],
    ['a.js', ['shared.js']],
    ['b.js', []],
    ['shared.js', []],
  ]);
  const tests = ['a.test.js', 'b.test.js'];
  assert.equal(affectedBy(new Set(['shared.js']), tests, imports), ['a.test.js']);
  assert.equal(affectedBy(new Set(['b.test.js']), tests, imports), ['b.test.js']);
  assert.equal(affectedBy(new Set(['c.js']), tests, imports), []);
});

test('The imports of all built files are read', () =>
  withFolder(async (root) => {
    await mkdir(join(root, 'ops'));
    await writeFile(join(root, 'ops/a.js'), "import { b } from '../b.js';");
    await writeFile(join(root, 'b.js'), '');
    assert.equal(
      [...(await readImports([{ folder: root, label: '' }]))].toSorted(([a], [b]) => a.localeCompare(b)),
      [
        ['b.js', []],
        ['ops/a.js', ['b.js']],
      ],
    );
  }));
