import type { ChildProcess } from 'node:child_process';

/** Spawned `detached` with this, a process ends together with what it has started; Windows has no process groups. */
export const leadsGroup = process.platform !== 'win32';

export function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(leadsGroup ? -child.pid : child.pid, signal);
  } catch {
    // Nothing of it is left.
  }
}
