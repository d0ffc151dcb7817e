import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../contracts/problems.js';
import { notRunningIn, requestOfSupervisor, statusOf, type SupervisorStatus } from './status-socket.js';

const pollEveryMs = 50;

/** Changes the number of hosts, and resolves with the status when the change has ended. */
export async function scaleSupervisor(dataDir: string, hosts: number): Promise<SupervisorStatus> {
  await requestOfSupervisor(dataDir, { scale: hosts });
  for (;;) {
    const status = await statusOf(dataDir);
    if (status === undefined) throw notRunningIn(dataDir);
    if (status.state !== 'scaling') return status;
    await delay(pollEveryMs);
  }
}

export function mustHaveScaled({ wanted, lastError }: SupervisorStatus, hosts: number): void {
  if (wanted === hosts) return;
  const why = lastError === undefined ? 'it was scaled again meanwhile.' : lastError;
  throw new Problem('child-failed', { detail: `The supervisor has ${wanted} hosts, not ${hosts}: ${why}` });
}

/** Resolves when the hosts have drained and the supervisor has stopped. */
export async function stopSupervisor(dataDir: string): Promise<void> {
  await requestOfSupervisor(dataDir, { stop: true });
  while ((await statusOf(dataDir)) !== undefined) await delay(pollEveryMs);
}
