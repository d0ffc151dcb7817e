import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { type Block, blocksOf, countsOf, treatmentOf } from './code-blocks.js';
import { writtenPages } from './written-pages.js';
import { exportedNames, type Importable, withImports } from './block-imports.js';
import { repository } from './reference-pages.js';

const test = suite('blocks of the documentation');

const example = join(repository, 'examples/orders');

/**
 * Compiles all blocks at once, in a folder of its own outside the repository. Each page has the sources of the orders
 * example around it; a block whose first line is a comment with a file name is that file.
 */
async function typeErrorsIn(blocks: readonly Block[], folder: string): Promise<readonly string[]> {
  await linkPackages(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['pages'] }));
  const importable = await importableNames();
  const blockAt = new Map<string, Block>();
  for (const page of new Set(blocks.map((block) => block.page))) {
    const home = `pages/${page.replaceAll(/[^a-z]/gi, '-')}`;
    await copyExample(join(folder, home));
    for (const block of blocks.filter((one) => one.page === page)) {
      const path = `${home}/${fileNameOf(block)}`;
      blockAt.set(path, block);
      await writeFile(join(folder, path), `${withImports(block.text, importable)}export {};\n`);
    }
  }
  const tsc = join(repository, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => inPage(line, blockAt));
}

const compilerOptions = {
  target: 'ES2022',
  module: 'NodeNext',
  lib: ['ES2023'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
};

/** The package as an application has it, and what the blocks and the example's tests import. */
async function linkPackages(folder: string): Promise<void> {
  const packages = join(folder, 'node_modules');
  await mkdir(packages);
  await symlink(repository, join(packages, 'svc-runtime'));
  for (const name of ['@types', '@statelyai', '@fastify', 'fastify', 'standardwebhooks'])
    await symlink(join(repository, 'node_modules', name), join(packages, name));
}

/** What a block may leave out: the package, its testing kit, and the files of the example. */
async function importableNames(): Promise<Importable> {
  const names = (await readdir(example)).filter((name) => /(?<!\.test|\.endpoint)\.ts$/.test(name));
  const files = new Map([
    ['svc-runtime', join(repository, 'index.ts')],
    ['svc-runtime/system-events', join(repository, 'actors/system-events/index.ts')],
    ['svc-runtime/testing', join(repository, 'actors/kit/index.ts')],
  ]);
  for (const name of [...names, 'generated/client.ts', 'generated/registry.ts'])
    files.set(`./${name.replace(/\.ts$/, '.js')}`, join(example, name));
  return Promise.all(
    [...files].map(async ([module, file]) => [module, exportedNames(await readFile(file, 'utf8'))] as const),
  );
}

async function copyExample(home: string): Promise<void> {
  await mkdir(home, { recursive: true });
  const names = (await readdir(example)).filter((name) => /(?<!\.test)\.ts$/.test(name));
  for (const name of [...names, 'generated'])
    await cp(join(example, name), join(home, name), { recursive: true });
}

const fileNameOf = ({ text, line }: Block): string =>
  /^\/\/ (?:src\/)?([\w.-]+\.ts)\n/.exec(text)?.[1] ?? `block-${line}.ts`;

/** An error at its line in the page. */
function inPage(line: string, blockAt: ReadonlyMap<string, Block>): string {
  const [, path = '', at = '', message = ''] = /^(.*?)\((\d+),\d+\): (.*)$/.exec(line) ?? [];
  const block = blockAt.get(path);
  return block === undefined ? line : `${block.page}:${block.line + Number(at)} ${message}`;
}

const pages = await writtenPages();

const blocks = pages.flatMap(({ path, text }) => blocksOf(path, text));

const of = (treatment: ReturnType<typeof treatmentOf>) =>
  blocks.filter((block) => treatmentOf(block) === treatment);

test('every block is type-checked, run, or marked as impossible here', () => {
  console.log(`blocks: ${countsOf(blocks)}`);
  assert.equal(
    of('unhandled').map(({ page, line, language }) => `${page}:${line} ${language}`),
    [],
  );
  assert.ok(of('checked').length > 20 && of('run').length > 5);
});

test('TypeScript in the documentation compiles against the package', () =>
  withFolder(async (folder) => {
    assert.equal(await typeErrorsIn(of('checked'), folder), []);
  }));
