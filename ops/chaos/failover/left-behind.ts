import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../runtime/kit/temporary-folder.js';

/**
 * Provides a folder for everything that the body writes, and ends every process that it started: also servers that detached
 * themselves, and also when the run is interrupted.
 */
export async function withNothingLeft<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = await temporaryFolder();
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  const leave = (): void => {
    endAll(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  const interrupted = (): void => {
    leave();
    process.exit(130);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, interrupted);
  try {
    return await body(folder);
  } finally {
    for (const signal of signals) process.removeListener(signal, interrupted);
    leave();
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

/** A process and those that it started. */
interface Listed {
  readonly pid: number;
  readonly parent: number;
}

export function descendantsOf(pid: number, all: readonly Listed[]): readonly number[] {
  const found = [pid];
  for (const next of found) for (const each of all) if (each.parent === next) found.push(each.pid);
  return found.slice(1);
}

export function listProcesses(): readonly Listed[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    return { pid: pid ?? 0, parent: parent ?? 0 };
  });
}

/** The process id of the PostgreSQL server that runs in a data folder. */
export function postmasterIn(data: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
    return isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Signals a process, unless it has ended. */
export function signalTo(pid: number | undefined, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined && pid > 1) process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return pid > 1 && process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Servers end after those that would restart them; SIGQUIT lets them remove their shared memory. */
function endAll(folder: string): void {
  for (const pid of descendantsOf(process.pid, listProcesses())) signalTo(pid, 'SIGKILL');
  const servers = dataFoldersIn(folder).flatMap((data) => postmasterIn(data) ?? []);
  const backends = descendantsFor(servers);
  for (const pid of backends) signalTo(pid, 'SIGCONT');
  for (const pid of servers) signalTo(pid, 'SIGQUIT');
  for (let waited = 0; waited < 100 && servers.some(isAlive); waited++) pause(100);
  for (const pid of [...servers, ...backends]) signalTo(pid, 'SIGKILL');
}

const descendantsFor = (pids: readonly number[]): readonly number[] => {
  const all = listProcesses();
  return pids.flatMap((pid) => descendantsOf(pid, all));
};

const dataFoldersIn = (folder: string): readonly string[] =>
  readdirSync(folder).map((name) => join(folder, name, 'data'));

/** Nothing else may run while an interrupted run is ended. */
const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
