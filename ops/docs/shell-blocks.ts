import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Block, commandsOf, matcherOf, type ShellCommand } from './code-blocks.js';
import { repository } from './reference-pages.js';

/** What the commands of a page find: a program `svc`, the orders example as the application, and its host. */
interface Surroundings {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Replaces `localhost:3000` in a page. */
  readonly host: string;
}

export async function prepare(folder: string): Promise<void> {
  const programs = join(folder, 'bin');
  await mkdir(programs);
  const svc = join(repository, 'dist/ops/cli.js');
  await writeFile(join(programs, 'svc'), `#!/bin/sh\nexec '${process.execPath}' '${svc}' "$@"\n`);
  await chmod(join(programs, 'svc'), 0o755);
  const main = relative(folder, join(repository, 'examples/orders/dist/main.js'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'orders', type: 'module', main }));
}

/** Runs the blocks of a page in order; reports what fails, or prints something other than the page shows. */
export async function shellFaultsIn(
  blocks: readonly Block[],
  around: Surroundings,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const page: Shown = { ids: new Map(), last: '' };
  for (const block of blocks)
    for (const shown of commandsOf(block)) {
      const fault = await faultOf(shown, page, around);
      if (fault !== undefined) faults.push(`${block.page}:${block.line} ${shown.command}\n${fault}`);
    }
  return faults;
}

/** What a page has shown so far: ids, each with the one really given, and the last command. */
interface Shown {
  readonly ids: Map<string, string>;
  last: string;
}

async function faultOf(
  { command, output }: ShellCommand,
  page: Shown,
  around: Surroundings,
): Promise<string | undefined> {
  const expected = matcherOf(output);
  page.last = command === '!!' ? page.last : withIds(command, page).replaceAll('localhost:3000', around.host);
  for (let tries = command.includes(' -d ') ? 1 : 10; ; tries--) {
    const { code, text } = await ran(page.last, around);
    if (code !== 0) return `ended with ${code}: ${text}`;
    if (output === '' || expected.test(text)) {
      keepIds(output, text, page);
      return undefined;
    }
    // A read model lags behind its events; a request that only reads may be repeated.
    if (tries <= 1) return `printed: ${text}`;
    await sleep(200);
  }
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const withIds = (command: string, { ids }: Shown): string => command.replace(uuid, (id) => ids.get(id) ?? id);

/** A later command of the page may use an id that an earlier one printed. */
function keepIds(output: string, text: string, { ids }: Shown): void {
  const [shown, given] = [output.match(uuid) ?? [], text.match(uuid) ?? []];
  if (shown.length !== given.length) return;
  shown.forEach((id, index) => ids.set(id, given[index] ?? id));
}

async function ran(command: string, { folder, env }: Surroundings) {
  const path = `${join(folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`;
  const child = spawn('bash', ['-c', command], {
    cwd: folder,
    env: { ...process.env, ...env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text };
}
