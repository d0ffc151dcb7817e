import { spawn, type SpawnOptions } from 'node:child_process';
import { basename } from 'node:path';
import { Problem } from '../../../contracts/problems.js';
import type { Home } from './home.js';

/** Runs one of PostgreSQL's programs to its end, as the account of the home. */
export async function run(home: Home, program: string, args: readonly string[], input = ''): Promise<void> {
  const child = spawn(program, args, { ...spawnOptions(home), stdio: 'pipe' });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  // A program that ends early reports why by itself; the broken pipe says nothing more.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return;
  const detail = `${basename(program)} failed: ${Buffer.concat(output).toString().trim().slice(-2000)}`;
  throw new Problem('invalid-setup', { detail });
}

/** The server outlives us and its superuser can read its environment: it gets none of our secrets. */
export function spawnOptions({ folder, account }: Home, more: NodeJS.ProcessEnv = {}): SpawnOptions {
  const { PATH = '', SystemRoot = '', TEMP = '' } = process.env;
  const env = { PATH, SystemRoot, TEMP, HOME: folder, LC_ALL: 'C', TZ: 'UTC', ...more };
  return { cwd: folder, env, windowsHide: true, ...account };
}
