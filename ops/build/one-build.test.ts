import { dirname, join, relative, sep } from 'node:path';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { findTestFiles } from '../test/find-test-files.js';
import { builtRoots, pathOf, repository } from '../test/roots.js';
import { writeFiles } from '../testing/packed-package.js';
import { linkOnce } from './modules.js';

const test = suite('one build per process');

/** What a file imports: ours by a path, or the package by its name. Tests contain programs as text, in other quotes. */
const named = /(?:\bfrom |\bimport |\bimport\()"((?:\.{1,2}\/|svc-runtime(?=["/]))[^"]*)"/g;

/** An import whose target is known only when it runs. */
const computedImport = /\bimport\((?!\s*["'])/;

/** Finds by the imports of a built file what its process loads: modules in `build/`, the package in `dist/`, or both. */
function readBuilds(root: string) {
  const known = new Map<string, Loaded>();
  const nameOf = (file: string): string => relative(root, file).replaceAll(sep, '/');
  /** The package imports nothing but itself; what is nowhere is named in the text of a program. */
  const isLeaf = (file: string): boolean => nameOf(file).startsWith('dist/') || !existsSync(file);
  const read = (file: string): Loaded => {
    const found = known.get(file) ?? (isLeaf(file) ? nothing : loadedBy(file));
    known.set(file, found);
    return found;
  };
  /** Every file that a process loads with this one. */
  const reach = (file: string): string[] => {
    const reached = new Set([file]);
    for (const one of reached) for (const next of read(one).files) reached.add(next);
    return [...reached];
  };
  return {
    /** The builds that a process with this file loads: `build` are modules, `dist` is the package. */
    buildsOf: (file: string): string[] => {
      const folders = reach(file).map((each) => /^(?:build|dist)(?=\/)/.exec(nameOf(each))?.[0]);
      return [...new Set(folders.filter((folder) => folder !== undefined))].toSorted();
    },
    /** The files with an import whose target is computed, of all that these load. */
    computing: (files: readonly string[]): string[] =>
      [...new Set(files.flatMap(reach))]
        .filter((file) => read(file).isComputing)
        .map(nameOf)
        .toSorted(),
  };
}

interface Loaded {
  readonly files: readonly string[];
  readonly isComputing: boolean;
}

const nothing: Loaded = { files: [], isComputing: false };

function loadedBy(file: string): Loaded {
  const text = readFileSync(file, 'utf8');
  const files = Array.from(text.matchAll(named), ([, name = '']) =>
    name.startsWith('.') ? join(dirname(file), name) : createRequire(file).resolve(name),
  );
  return { files, isComputing: computedImport.test(text) };
}

const roots = await builtRoots();
const tests = (await findTestFiles(roots)).map((file) => pathOf(roots, file));
const builds = readBuilds(repository);

test('no test loads modules and the package into one process', () => {
  const loaded = (file: string) => builds.buildsOf(pathOf(roots, file));
  assert.equal(loaded('contracts/uuid.test.js'), ['build']);
  assert.equal(loaded('examples/orders/receptors.test.js'), ['dist']);
  assert.equal(
    tests.filter((file) => builds.buildsOf(file).length > 1),
    [],
  );
});

/** Imports that the test above cannot follow, and why none of them loads the other build. */
const computed: Readonly<Record<string, string>> = {
  'contracts/uuid.test.js': 'the module beside it, a second time',
  'endpoints/generator/emit/client.test.js': 'a client without imports, as a data: URL',
  'endpoints/generator/emit/own-routes.test.js': 'a client without imports, as a data: URL',
  'endpoints/generator/emit/testing/compile.js': 'compiled with a link of the package to build/',
  'endpoints/generator/testing/client-of-example.js': 'a client without imports, as a data: URL',
  'ops/build/changed-module.js': 'modules, which load no package',
  'ops/build/one-build.test.js': 'the text of an example below',
  'ops/deploy/cli/deploy-driver.js': 'tests in the same process name the driver in build/',
  'ops/deploy/kubernetes/testing/schemas.js': 'schemas of an npm package',
  'ops/host/loaded-modules.test.js': 'text of a program that runs in another process',
  'ops/public-names.test.js': 'svc-runtime by its name, which is build/ from there',
  'ops/service/load-service.js': 'refuses a service on another copy of the runtime',
  'ops/test/on-modules.test.js': 'text of a program that runs in another process',
  'ops/testing/live-model.js': 'a client without imports, as a data: URL',
};

test('an import whose target is computed has a reason why it does not load the other build', () => {
  const found = builds.computing(tests).map((file) => file.replace(/^build\//, ''));
  assert.equal(found, Object.keys(computed));
});

test('a test that loads both is found, by a path or by the name of the package, directly or not', () =>
  withFolder(async (root) => {
    const manifest = (folder: string) =>
      JSON.stringify({ name: 'svc-runtime', type: 'module', exports: { '.': `./${folder}index.js` } });
    await writeFiles(root, {
      'package.json': manifest('dist/'),
      'dist/index.js': 'import"./chunks/shared.js";',
      'dist/chunks/shared.js': '',
      'build/package.json': manifest(''),
      'build/index.js': 'export * from "./contracts/problems.js";',
      'build/contracts/problems.js': '',
      'build/ops/by-name.test.js': 'import { Problem } from "svc-runtime";',
      'build/ops/by-path.test.js': 'import "./helper.js";\nimport "../contracts/problems.js";',
      'build/ops/helper.js': 'await import("../../dist/index.js");',
      'build/ops/starts.test.js':
        'import "../index.js";\nspawn(new URL("../../dist/index.js", import.meta.url));',
      'build/ops/computes.test.js': 'const name = "a.js";\nawait import(name);',
      'examples/orders/package.json': '{ "type": "module" }',
      'examples/orders/dist/own.test.js': 'import { Problem } from "svc-runtime";\nimport "./main.js";',
      'examples/orders/dist/main.js': '',
      'examples/orders/dist/mixes.test.js':
        'import "svc-runtime";\nimport "../../../build/contracts/problems.js";',
    });
    await linkOnce(root, join(root, 'node_modules/svc-runtime'));
    const files = [
      'build/ops/by-name',
      'build/ops/by-path',
      'build/ops/starts',
      'build/ops/computes',
      'examples/orders/dist/own',
      'examples/orders/dist/mixes',
    ].map((name) => join(root, `${name}.test.js`));
    const { buildsOf, computing } = readBuilds(root);
    assert.equal(files.map(buildsOf), [
      ['build'],
      ['build', 'dist'],
      ['build'],
      ['build'],
      ['dist'],
      ['build', 'dist'],
    ]);
    assert.equal(computing(files), ['build/ops/computes.test.js']);
  }));
