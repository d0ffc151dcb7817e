import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../runtime/kit/temporary-folder.js';

/** The temporary folder of all test files of a run. */
interface RunFolder {
  readonly env: NodeJS.ProcessEnv;
  /** Removes it, and ends the processes that were started in it and are still running. */
  remove(): Promise<void>;
}

const graceMs = 3_000;

/** A killed file removes nothing, and a server in a session of its own outlives it. */
export async function makeRunFolder(): Promise<RunFolder> {
  const folder = await temporaryFolder();
  return {
    env: { TMPDIR: folder, TEMP: folder, TMP: folder },
    remove: async () => {
      await endProcessesOf(folder);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function endProcessesOf(folder: string): Promise<void> {
  // PostgreSQL and our own processes stop at once on this signal.
  for (const pid of await processesOf(folder)) kill(pid, 'SIGINT');
  const end = performance.now() + graceMs;
  while ((await processesOf(folder)).length > 0 && performance.now() < end) await delay(50);
  for (const pid of await processesOf(folder)) kill(pid, 'SIGKILL');
}

/** Those with the folder in their arguments; on Windows there are none to look for. */
async function processesOf(folder: string): Promise<number[]> {
  const listed = promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,args='], { maxBuffer: 2 ** 26 });
  const { stdout } = await listed.catch(() => ({ stdout: '' }));
  return stdout
    .split('\n')
    .filter((line) => line.includes(`${folder}/`))
    .map((line) => Number.parseInt(line, 10));
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}
