import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { hasCode, readIfExists } from './files.js';

/** A pid alone is soon given to another process; together with its birth it names one for ever. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly born: string;
}

export interface LiveProcess extends ProcessIdentity {
  /** Undefined where the system does not tell. */
  readonly command: string | undefined;
}

/** The living process with that pid; one that ended but was not yet reaped counts as dead. */
export function findProcess(
  pid: number,
  platform: string = process.platform,
): Promise<LiveProcess | undefined> {
  if (platform === 'linux') return fromProc(pid);
  return platform === 'win32' ? fromSignal(pid) : fromPs(pid);
}

export const isAlive = async ({ pid, born }: ProcessIdentity): Promise<boolean> =>
  (await findProcess(pid))?.born === born;

/** State and start of a process out of `/proc/<pid>/stat`, whose second field may hold blanks and brackets. */
export function parseStat(text: string): { readonly ended: boolean; readonly startTicks: string } {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { ended: /^[ZXx]/.test(fields[0] ?? 'X'), startTicks: fields[19] ?? '' };
}

/** One line of `ps -o stat=,lstart=,command=`. */
export function parsePs(line: string): { readonly born: string; readonly command: string } | undefined {
  const found = /^\s*(?<state>\S+)\s+(?<born>\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(?<command>.*)$/m.exec(line);
  const { state = 'Z', born = '', command = '' } = found?.groups ?? {};
  return state.startsWith('Z') ? undefined : { born: born.replaceAll(/\s+/g, ' '), command };
}

async function fromProc(pid: number): Promise<LiveProcess | undefined> {
  const stat = await readIfExists(`/proc/${pid}/stat`);
  const command = await readIfExists(`/proc/${pid}/cmdline`);
  if (stat === undefined || command === undefined) return undefined;
  const { ended, startTicks } = parseStat(stat);
  // Ticks count from boot, so the same figure can come back after a reboot.
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
  return ended
    ? undefined
    : { pid, born: `${boot.trim()}:${startTicks}`, command: command.replaceAll('\0', ' ') };
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
  return { pid, born: '', command: undefined };
}
