import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { fileUnderTest, ourRoot } from '../harness/build-under-test.js';
import { runChild } from '../harness/child.js';
import type { Section } from '../harness/report.js';
import { type Figures, interleave, type Variant } from '../harness/rounds.js';
import { scaled, type SuiteRun } from '../harness/suite.js';
import { commandSource, writeService } from './sources.js';

const cli = fileUnderTest('ops/cli.js');
const loadScript = fileURLToPath(new URL('load-codecs.js', import.meta.url));
const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', ourRoot));

/** The generator: cold, after one change in watch mode, and the time to load its codecs. */
export async function generate(run: SuiteRun): Promise<readonly Section[]> {
  run.printProgress('generate: writing 50 and 500 commands');
  const small = await writeService(scaled(50, run));
  const large = await writeService(scaled(500, run));
  try {
    execFileSync(process.execPath, [cli, 'generate', large], { stdio: 'ignore' });
    execFileSync(process.execPath, [tsc, '-p', large], { stdio: 'ignore' });
    run.printProgress(`generate: ${run.rounds} rounds`);
    const variants: Variant[] = [
      { name: '50 commands, cold', measure: () => cold(small) },
      { name: '500 commands, cold', measure: () => cold(large) },
      { name: '50 commands, one change', measure: () => oneChange(small) },
      { name: '500 commands, one change', measure: () => oneChange(large) },
      {
        name: 'codecs of 500 commands, loaded',
        measure: () => runChild<Figures>(loadScript, [join(large, 'dist')]),
      },
    ];
    return [sectionOf(await interleave(variants, run.rounds, run.signal))];
  } finally {
    for (const dir of [small, large]) await rm(dir, { recursive: true, force: true });
  }
}

async function cold(dir: string): Promise<Figures> {
  await rm(join(dir, 'generated'), { recursive: true, force: true });
  const started = performance.now();
  execFileSync(process.execPath, [cli, 'generate', dir], { stdio: 'ignore' });
  return { ms: performance.now() - started };
}

async function oneChange(dir: string): Promise<Figures> {
  const watcher = spawn(process.execPath, [cli, 'generate', dir, '--watch'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    await once(watcher.stderr, 'data');
    // Watching a tree takes a moment to begin on some systems.
    await delay(1000);
    const source = commandSource('Command0').replace('state: string', `state${Date.now()}: string`);
    await writeFile(join(dir, 'src/command-0.ts'), source);
    const [line] = (await once(watcher.stderr, 'data')) as [Buffer];
    return { ms: Number(/in (\d+) ms/.exec(String(line))?.[1] ?? Number.NaN) };
  } finally {
    watcher.kill();
    await once(watcher, 'exit');
  }
}

const sectionOf = (rounds: Section['rounds']): Section => ({
  title: 'generate: commands of five fields, with result, event and receptor',
  figures: ['ms'],
  baseline: '50 commands, cold',
  rounds,
  targets: [
    { figure: 'ms', of: '50 commands, cold', atMost: 2500 },
    { figure: 'ms', of: '500 commands, cold', atMost: 6000 },
    { figure: 'ms', of: '50 commands, one change', atMost: 150 },
    { figure: 'ms', of: '500 commands, one change', atMost: 150 },
    { figure: 'ms', of: 'codecs of 500 commands, loaded', atMost: 200 },
  ],
  missing: [],
});
