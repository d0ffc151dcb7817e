import { readdir, readFile } from 'node:fs/promises';

/** A process as `/proc` describes it: with the time of its children that have ended. */
interface ProcessTime {
  readonly pid: number;
  readonly parent: number;
  readonly seconds: number;
}

const ticksPerSecond = 100;

/** Fields 4 and 14 to 17; the name of the process before them may contain anything. */
export function timeIn(stat: string): ProcessTime {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid: Number.parseInt(stat, 10), parent: Number(fields[1]), seconds: ticks / ticksPerSecond };
}

/** Seconds of CPU of some processes and all that they started. */
export function secondsOf(roots: readonly number[], all: readonly ProcessTime[]): number {
  const found = new Set(roots);
  for (const root of found) for (const { pid, parent } of all) if (parent === root) found.add(pid);
  return all.reduce((sum, { pid, seconds }) => (found.has(pid) ? sum + seconds : sum), 0);
}

/** The same for the processes of this machine; NaN if the system does not report it. */
export async function cpuOf(roots: readonly number[]): Promise<number> {
  const all = await listTimes();
  return all.length === 0 ? Number.NaN : secondsOf(roots, all);
}

export const parentOf = async (pid: number): Promise<number> =>
  (await listTimes()).find((one) => one.pid === pid)?.parent ?? 0;

async function listTimes(): Promise<readonly ProcessTime[]> {
  const names = await readdir('/proc').catch(() => []);
  const stats = names
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined));
  return (await Promise.all(stats)).flatMap((stat) => (stat === undefined ? [] : [timeIn(stat)]));
}
