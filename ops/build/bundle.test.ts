import { spawnSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { processRoot } from '../../runtime/testing/process-root.js';
import { ownClassNames } from './bundle.js';

const test = suite('the bundle');

const entries = ['', '/contracts', '/runtime', '/actors', '/endpoints', '/ops', '/testing'].map(
  (name) => `svc-runtime${name}`,
);

/** Prints what a program finds that imports the package by its name. */
function found(script: string, ...args: readonly string[]): unknown {
  const { stdout, stderr } = spawnSync(process.execPath, [...args, '--eval', script], {
    cwd: processRoot,
    encoding: 'utf8',
  });
  assert.is(stderr, '');
  return JSON.parse(stdout);
}

const imports = entries.map((name) => `await import('${name}')`).join(', ');

test('every class that several entry points export is one class', () => {
  const copies = found(
    `const all = [${imports}];
    const names = new Set(all.flatMap((entry) => Object.keys(entry)));
    const several = [...names].filter((name) => new Set(all.map((entry) => entry[name]).filter(Boolean)).size > 1);
    const shared = ['Problem', 'Command', 'Event'].map((name) => all.filter((entry) => entry[name]).length);
    console.log(JSON.stringify({ several, shared }));`,
    '--input-type=module',
  );
  assert.equal(copies, { several: [], shared: [2, 2, 2] });
});

test('a class keeps its name, which is the type of its messages', () => {
  const renamed = found(
    `const all = Object.assign({}, ...[${imports}]);
    const isClass = (value) => typeof value === 'function' && String(value).startsWith('class');
    const renamed = Object.entries(all).filter(([name, value]) => isClass(value) && value.name !== name);
    console.log(JSON.stringify(renamed.map(([name, value]) => [name, value.name])));`,
    '--input-type=module',
  );
  assert.equal(renamed, []);
});

test('every entry point can be required', () => {
  const required = found(
    `const names = ${JSON.stringify(entries)}.filter((name) => Object.keys(require(name)).length === 0);
    console.log(JSON.stringify(names));`,
    '--no-warnings',
    '--input-type=commonjs',
  );
  assert.equal(required, []);
});

test('a stack names our sources', () => {
  const frames = found(
    `const { addService } = await import('svc-runtime');
    try { addService().with(undefined); } catch ({ stack }) { console.log(JSON.stringify(stack.split('\\n'))); }`,
    '--input-type=module',
    '--enable-source-maps',
  ) as string[];
  assert.match(frames[1] ?? '', /runtime\/service\/service\.ts:\d+:\d+/);
});

test('the inner name of a class is its own, at the same place', () => {
  const text = 'var Order=class _Order{static of(){return new _Order}};var _Orders=1;';
  assert.is(ownClassNames(text), 'var Order=class Order {static of(){return new Order }};var _Orders=1;');
});
