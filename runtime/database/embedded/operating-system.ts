import { execFile } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { link, lstat, open, readFile, unlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));

export const exists = async (path: string): Promise<boolean> =>
  (await unlessMissing(lstat(path))) !== undefined;

export const readIfExists = (path: string): Promise<string | undefined> =>
  unlessMissing(readFile(path, 'utf8'));

/** Creates the file with its complete text atomically; returns false when it already exists. */
export async function createOnce(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, text, { flush: true });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}

/** A rename survives a power cut only once its folder is on disk; Windows cannot open folders. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ESRCH')) return undefined;
    throw error;
  }
}

/** Pids are reused; together with its start time a pid identifies one process for good. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}

export interface LiveProcess extends ProcessIdentity {
  /** Undefined where the operating system does not report it. */
  readonly command: string | undefined;
}

/** The live process with this pid; one that ended but was not reaped yet counts as dead. */
export function findProcess(
  pid: number,
  platform: string = process.platform,
): Promise<LiveProcess | undefined> {
  if (platform === 'linux') return fromProc(pid);
  return platform === 'win32' ? fromSignal(pid) : fromPs(pid);
}

export const isAlive = async ({ pid, startTime }: ProcessIdentity): Promise<boolean> =>
  (await findProcess(pid))?.startTime === startTime;

/** State and start time from `/proc/<pid>/stat`, whose second field may contain blanks and brackets. */
export function parseStat(text: string): { readonly ended: boolean; readonly startTicks: string } {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { ended: /^[ZXx]/.test(fields[0] ?? 'X'), startTicks: fields[19] ?? '' };
}

/** One line of `ps -o stat=,lstart=,command=`. */
export function parsePs(line: string): { readonly startTime: string; readonly command: string } | undefined {
  const found = /^\s*(?<state>\S+)\s+(?<startTime>\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(?<command>.*)$/m.exec(
    line,
  );
  const { state = 'Z', startTime = '', command = '' } = found?.groups ?? {};
  return state.startsWith('Z') ? undefined : { startTime: startTime.replaceAll(/\s+/g, ' '), command };
}

async function fromProc(pid: number): Promise<LiveProcess | undefined> {
  const stat = await readIfExists(`/proc/${pid}/stat`);
  const command = await readIfExists(`/proc/${pid}/cmdline`);
  if (stat === undefined || command === undefined) return undefined;
  const { ended, startTicks } = parseStat(stat);
  // Ticks count from boot, so the same value can recur after a reboot.
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
  return ended
    ? undefined
    : { pid, startTime: `${boot.trim()}:${startTicks}`, command: command.replaceAll('\0', ' ') };
}

async function fromPs(pid: number): Promise<LiveProcess | undefined> {
  try {
    const format = ['-ww', '-o', 'stat=', '-o', 'lstart=', '-o', 'command=', '-p', String(pid)];
    const { stdout } = await promisify(execFile)('ps', format, {
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    });
    const found = parsePs(stdout);
    return found && { pid, ...found };
  } catch (error) {
    if (hasCode(error, '1')) return undefined;
    throw error;
  }
}

async function fromSignal(pid: number): Promise<LiveProcess | undefined> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!hasCode(error, 'EPERM')) return undefined;
  }
  return { pid, startTime: '', command: undefined };
}

/** Below those that systems give to outgoing connections, one of which would take it before it is used. */
const freePorts = { from: 10_000, to: 32_000 };

/** Free at this moment; the caller must expect to find it taken. */
export async function freePort(): Promise<number> {
  for (let tries = 50; tries > 0; tries--) {
    const port = await opened(randomInt(freePorts.from, freePorts.to));
    if (port !== undefined) return port;
  }
  return (await opened(0)) ?? 0;
}

/** The port, if a server could be opened there. */
async function opened(port: number): Promise<number | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return undefined;
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : undefined;
}

/** Calls until there is a result; returns undefined after the timeout. */
export async function poll<T>(
  ask: () => Promise<T | undefined>,
  { everyMs, withinMs }: { readonly everyMs: number; readonly withinMs: number },
): Promise<T | undefined> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || performance.now() >= deadline) return answer;
    await pause(everyMs);
  }
}
