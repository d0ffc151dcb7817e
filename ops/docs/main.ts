import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { printToStderr } from '../terminal/print.js';
import { blocksOf, countsOf } from './code-blocks.js';
import { proofFile, proofPage } from './proof-page.js';
import { readRuns } from '../proof/recorded-runs.js';
import { llmsText } from './llms.js';
import { writtenPages } from './written-pages.js';
import { referencePages, repository } from './reference-pages.js';

const docs = join(repository, 'docs');

/** Builds the site into docs/.vitepress/dist, or serves it while you write: --dev. */
async function main(args: readonly string[]): Promise<void> {
  if (!existsSync(join(docs, 'node_modules'))) run('npm', 'ci', '--no-audit', '--no-fund');
  await rm(join(docs, 'reference'), { recursive: true, force: true });
  printToStderr('reference …\n');
  for (const [path, text] of Object.entries(await referencePages()))
    await write(join(docs, 'reference', path), text);
  run('node', 'node_modules/typedoc/bin/typedoc');
  await write(proofFile, proofPage(await readRuns()));
  await write(join(docs, 'llms.txt'), await llmsText(docs));
  const blocks = (await writtenPages()).flatMap(({ path, text }) => blocksOf(path, text));
  printToStderr(`blocks of code: ${countsOf(blocks)}\n`);
  run('node', 'node_modules/vitepress/bin/vitepress.js', args.includes('--dev') ? 'dev' : 'build');
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

function run(program: string, ...args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd: docs, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

await main(process.argv.slice(2));
