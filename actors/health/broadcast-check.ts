import type { HealthCheck } from '../../contracts/health.js';
import type { HostLeases } from '../../runtime/leases/host-leases.js';
import { degradedBy } from './healthy-or-degraded.js';

interface BroadcastState {
  /** The running hosts that do the opposite. */
  readonly differing: readonly string[];
  /** What the command line follows. */
  readonly recorded: boolean;
}

/**
 * All hosts of a store must broadcast their system messages, or none of them: otherwise a monitor sees gaps. The answers
 * about the leases of this host list all hosts.
 */
export function broadcastCheck(
  broadcasts: boolean,
  leases: Pick<HostLeases, 'watch'>,
): HealthCheck & { stop(): void } {
  let state: BroadcastState = { differing: [], recorded: broadcasts };
  const stop = leases.watch(({ hosts, broadcast: recorded }) => {
    const differing = hosts.filter(({ broadcast }) => broadcast === !broadcasts).map(({ name }) => name);
    state = { differing: [...new Set(differing)].toSorted(), recorded };
  });
  return {
    name: 'broadcast',
    tags: ['transport'],
    periodMs: 2_000,
    check: async () => degradedBy(textsOf(broadcasts, state)),
    stop,
  };
}

function textsOf(broadcasts: boolean, { differing, recorded }: BroadcastState): readonly string[] {
  const own = broadcasts ? 'broadcasts system events' : 'does not broadcast system events';
  const opposite = broadcasts ? 'does not' : 'does';
  const setting = `svc store broadcast ${broadcasts ? 'on' : 'off'} --reason TEXT`;
  if (differing.length > 0)
    return [
      `This host ${own}, but ${differing.join(' and ')} ${differing.length > 1 ? opposite.replace('does', 'do') : opposite}; start all hosts with the same SVC_BROADCAST. Until then svc store broadcast on|off decides for the command line.`,
    ];
  return recorded === broadcasts
    ? []
    : [`This host ${own}, but the command line ${opposite}; run ${setting}, or change SVC_BROADCAST.`];
}
