import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { unusedExports } from './testing/structure/exports.js';
import {
  againstTheArrow,
  importsAwayFromHome,
  importCycles,
  importsOfAnIndex,
  importsOfThePackage,
  isForTests,
  mutualFolders,
  rooms,
} from './testing/structure/imports.js';
import { importsOf, readSource, type Source } from './testing/structure/source.js';

const test = suite('structure');

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Where each package may be imported; these files hide it from all others. */
const homes: Readonly<Record<string, readonly string[]>> = {
  '@dagrejs/dagre': ['ops/console/model/'],
  '@jridgewell/sourcemap-codec': ['ops/build/'],
  '@opentelemetry/api': ['runtime/tracing/tracing.ts', 'runtime/tracing/trace-state.ts'],
  '@preact/signals': ['ops/console/page/'],
  '@ts-morph/common': ['endpoints/generator/typescript.ts'],
  amqplib: ['runtime/probes/'],
  esbuild: ['ops/build/'],
  fastify: ['endpoints/', 'ops/console/server/'],
  graphql: ['endpoints/graphql/'],
  croner: ['runtime/timers/cron.ts'],
  jose: ['endpoints/access/jwt/'],
  'libpg-query': ['runtime/migrations/lint/'],
  msgpackr: ['runtime/envelope/envelope-codec.ts'],
  nats: ['runtime/transport/'],
  pg: ['runtime/database/'],
  pino: ['runtime/logging/log.ts'],
  preact: ['ops/console/page/'],
  'prom-client': ['runtime/metrics/metrics.ts'],
  'secure-json-parse': ['endpoints/http/read-json-body.ts'],
  standardwebhooks: ['endpoints/webhooks/'],
  'svc-runtime': ['ops/bench/'],
  ws: ['endpoints/routes/', 'ops/bench/inspect/'],
  xstate: [
    'actors/',
    'endpoints/lifecycle/',
    'endpoints/inspection/',
    'endpoints/routes/machines.ts',
    'ops/service/state-machines.ts',
  ],
};

const template = 'ops/create/template';

const read = (paths: readonly string[]): readonly Source[] =>
  paths
    .filter((path) => /\.tsx?$/.test(path) && !/\/(?:generated|node_modules)\//.test(path))
    .filter((path) => !path.startsWith(template))
    .map((path) => readSource(path, asked(path, readFileSync(join(root, path), 'utf8'))));

/** Of a test nothing but its imports: tests are 40 % of all text. */
const asked = (path: string, text: string): string => (path.endsWith('.test.ts') ? importsOf(text) : text);

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`);

const sources = read(['index.ts', ...rooms.flatMap(filesIn)]);

/** Examples import the package, as a user would. */
const withExample = [...sources, ...read(filesIn('examples'))];

/** Tests and port contracts are lists of cases. */
const written = withExample.filter(({ path }) => !/\.test\.ts$|-contract\.ts$/.test(path));

/** Sources that exist only here, by path. */
const example = (texts: Readonly<Record<string, string>>): readonly Source[] =>
  Object.entries(texts).map(([path, text]) => readSource(path, text));

test('all sources are read', () => {
  for (const room of rooms)
    assert.ok(
      sources.some(({ path }) => path.startsWith(`${room}/`)),
      room,
    );
  assert.ok(sources.some(({ path }) => path.endsWith('.tsx')));
  assert.ok(sources.some(({ path }) => path === 'index.ts'));
  assert.ok(withExample.some(({ path }) => path.startsWith('examples/orders/')));
});

test('of a test the imports are read, all of it when it imports later, and nothing else', () => {
  const imports = `import a from 'a';\nimport {\n  b,\n} from './b.js';\n// Why.\n\n`;
  assert.is(importsOf(`${imports}const c = 1;\n`), imports);
  for (const later of [`const c = await import('./c.js');`, `f();\nimport 'd';`, `export const e = 1;`])
    assert.is(importsOf(imports + later), imports + later);
});

test('a file imports its own room and those before it', () => {
  assert.equal(againstTheArrow(sources), []);
});

test('a type import, a dynamic import and an import of an example against the arrow are found', () => {
  const wrong = example({
    'runtime/a.ts': `import type { B } from '../actors/b.js'; export const a = (b: B) => b;`,
    'actors/b.ts': `import { a } from '../runtime/a.js'; export const b = () => import('../ops/c.js');`,
    'ops/c.tsx': `export type { A } from '../contracts/d.js'; type E = import('../endpoints/e.js').E;`,
    'ops/f.ts': `import { Order } from '../examples/orders/order.js';`,
  });
  assert.equal(againstTheArrow(wrong), [
    'runtime/a.ts imports actors/b',
    'actors/b.ts imports ops/c',
    'ops/f.ts imports examples/orders/order',
  ]);
});

test('there is no import cycle', () => {
  assert.equal(importCycles(sources), []);
});

test('a cycle of type imports is found, without the files that only lead to it', () => {
  const wrong = example({
    'ops/a.ts': `import type { B } from './b.js';`,
    'ops/b.ts': `import { C } from './c.js';`,
    'ops/c.tsx': `export * from './a.js';`,
    'ops/d.ts': `import './a.js';`,
  });
  assert.equal(importCycles(wrong), ['ops/a - ops/b - ops/c']);
});

test('no internal file imports an index.ts', () => {
  assert.equal(importsOfAnIndex(sources), []);
});

test('an import of an index.ts is found, and only another index.ts may', () => {
  const wrong = example({
    'runtime/a.ts': `import { Command } from '../contracts/index.js';`,
    'index.ts': `export * from './contracts/index.js';`,
  });
  assert.equal(importsOfAnIndex(wrong), ['runtime/a.ts imports contracts/index']);
});

test('each npm package is imported at its home alone', () => {
  assert.equal(importsAwayFromHome(sources, homes), []);
});

test('no home is empty', () => {
  const empty = Object.entries(homes).flatMap(([name, places]) =>
    places
      .filter(
        (home) =>
          importsAwayFromHome(
            sources.filter(({ path }) => path.startsWith(home)),
            { ...homes, [name]: [] },
          ).length === 0,
      )
      .map((home) => `${name} in ${home}`),
  );
  assert.equal(empty, []);
});

test('a package imported away from its home is found, and so is one without a home', () => {
  const wrong = example({
    'runtime/database/a.ts': `import pg from 'pg';`,
    'runtime/b.ts': `import type { Pool } from 'pg'; import { join } from 'node:path';`,
    'runtime/c.ts': `import { d } from '@new/one/deep';`,
    'runtime/c.test.ts': `import { suite } from 'uvu';`,
  });
  assert.equal(importsAwayFromHome(wrong, homes), [
    'runtime/b.ts imports pg',
    'runtime/c.ts imports @new/one',
  ]);
});

test('no test has modules and the package in one process: only the measured codecs of users import it', () => {
  assert.equal(importsOfThePackage(sources), [
    'ops/bench/generate/load-codecs.ts imports svc-runtime/contracts',
  ]);
});

test('an import of the package by its name or by its folder is found', () => {
  const wrong = example({
    'ops/a.test.ts': `import { Problem } from 'svc-runtime';`,
    'ops/b.test.ts': `const { Problem } = await import('../../dist/index.js'); const text = "from 'svc-runtime'";`,
    'examples/c.ts': `import { Problem } from 'svc-runtime';`,
  });
  assert.equal(importsOfThePackage(wrong), [
    'ops/a.test.ts imports svc-runtime',
    'ops/b.test.ts imports ../../dist/index.js',
  ]);
});

test('at most 7 pairs of folders import each other', () => {
  const pairs = mutualFolders(sources);
  assert.ok(pairs.length <= 7, pairs.join('\n'));
});

test('folders that import each other are found through any file except tests and index.ts', () => {
  const wrong = example({
    'ops/a.ts': `import { b } from './part/b.js';`,
    'ops/part/c.ts': `import type { D } from '../d.js';`,
    'runtime/index.ts': `export { e } from './part/e.js';`,
    'runtime/part/e.ts': `import { f } from '../f.js';`,
    'runtime/f.test.ts': `import { e } from './part/e.js';`,
  });
  assert.equal(mutualFolders(wrong), ['ops <-> ops/part']);
});

test('at most 20 exported names are used in no other file', () => {
  const unused = unusedExports(sources);
  assert.ok(unused.length <= 20, `${unused.length}:\n${unused.join('\n')}`);
});

test('an unused export is found; a test, an index.ts and a dynamic import count as use', () => {
  const wrong = example({
    'ops/a.ts': `export const b = 1, c = 2; export type D = 3; export interface E {} export class F {} const g = 7; export { g, g as h };`,
    'ops/a.test.ts': `import { b } from './a.js';`,
    'ops/index.ts': `export { type E, F as G } from './a.js'; export const own = 1;`,
    'ops/late.ts': `export const late = 1; export default 2;`,
    'ops/z.ts': `const { late } = await import('./late.js'); import { g as mine } from './a.js';`,
  });
  assert.equal(unusedExports(wrong), ['ops/a.ts c', 'ops/a.ts D', 'ops/a.ts h']);
});

test('no file has more than 250 lines of code, no function more than 50', () => {
  const long = written.flatMap(({ path, lines, functions }) => [
    ...(lines > 250 ? [`${path} ${lines}`] : []),
    ...functions.filter((each) => each.lines > 50).map((each) => `${path}:${each.line} ${each.lines}`),
  ]);
  assert.equal(long, []);
});

test('lines of code are counted without comments and blank lines', () => {
  const [source] = example({
    'ops/a.ts': `/** A comment\n * of lines. */\nexport function a() {\n  // Why.\n\n  return {\n    b: () => {\n      return 1;\n    },\n  };\n}\n`,
  });
  assert.is(source?.lines, 7);
  assert.equal(source?.functions, [
    { line: 3, lines: 7 },
    { line: 7, lines: 3 },
  ]);
});

test('no source evades type checking or linting', () => {
  const evasions = withExample
    .filter(({ path }) => !isForTests(path))
    .flatMap(({ path, evasions: found }) => found.map(({ line, what }) => `${path}:${line} ${what}`));
  assert.equal(evasions, []);
});

test('any, !, a bare Error and every suppression are found in code and not in strings', () => {
  const [source] = example({
    'ops/a.ts': [
      'export const a = (b: any) => b!;',
      `throw new Error('none');`,
      '// @ts-expect-error',
      '  /* oxlint-disable no-eval */',
      '/* c8 ignore next */',
      'const text = "any // @ts-ignore";',
      'const c = `any // @ts-ignore ${text} // @ts-ignore`, d = /a\\/\\/ c8 ignore/;',
      'a(c); // oxlint-disable-line',
      'a(c, /* c8 ignore next */ d);',
      '/*',
      ' * @ts-ignore */',
    ].join('\n'),
  });
  assert.equal(
    source?.evasions.map(({ line, what }) => `${line} ${what}`),
    [
      '3 @ts-expect-error',
      '4 oxlint-disable',
      '5 c8 ignore',
      '8 oxlint-disable',
      '9 c8 ignore',
      '11 @ts-ignore',
      '1 any',
      '1 !',
      '2 throw new Error',
    ],
  );
});

test('one helper notifies, so no transaction that writes does', () => {
  const notifying = rooms
    .flatMap(filesIn)
    .filter((path) => /(?<!\.test)\.ts$/.test(path) && !path.includes('/generated/'))
    .filter((path) => /\b(?:NOTIFY|pg_notify)\b/.test(readFileSync(join(root, path), 'utf8')));
  assert.equal(notifying, ['runtime/database/notify.ts']);
});
