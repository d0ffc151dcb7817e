import type { HealthCheck } from '../../contracts/health.js';
import type { BroadcastState } from '../../runtime/store/store-broadcast.js';
import { degradedBy } from './healthy-or-degraded.js';

/** All hosts of a store must broadcast their system messages, or none of them: otherwise a monitor sees gaps. */
export const broadcastCheck = (broadcasts: boolean, look: () => Promise<BroadcastState>): HealthCheck => ({
  name: 'broadcast',
  tags: ['transport'],
  periodMs: 5_000,
  check: async () => {
    // That the database does not answer is for its own check to report.
    const state = await look().catch(() => undefined);
    return degradedBy(state === undefined ? [] : textsOf(broadcasts, state));
  },
});

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
