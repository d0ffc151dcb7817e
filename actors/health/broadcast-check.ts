import type { HealthCheck } from '../../contracts/health.js';
import type { BroadcastState } from '../../runtime/store/store-broadcast.js';
import { degradedBy } from './healthy-or-degraded.js';

/** Whether all hosts of the store broadcast their system messages, or none does: otherwise a monitor sees gaps. */
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
  const own = broadcasts ? 'broadcasts system events' : 'keeps system events to itself';
  const setting = `svc store broadcast ${broadcasts ? 'on' : 'off'} --reason TEXT`;
  if (differing.length > 0)
    return [
      `This host ${own}, and ${differing.join(', ')} does the opposite: start all with the same SVC_BROADCAST. Until then the command line follows svc store broadcast on|off.`,
    ];
  return recorded === broadcasts
    ? []
    : [`This host ${own}, and the command line does the opposite: run ${setting}, or change SVC_BROADCAST.`];
}
