import { readFile } from 'node:fs/promises';

const ticksPerSecond = 100;

/** Seconds of CPU that all threads of a process have used; undefined if the system does not report it. */
export async function cpuSeconds(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat === undefined ? undefined : cpuSecondsIn(stat);
}

/** Fields 14 and 15; the name of the process before them may contain anything. */
export function cpuSecondsIn(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
