import type { ChainReport } from '../../runtime/audit/verify-chain.js';
import type { StoredState, Findings } from './harness/consistency-check.js';

/** The audit results of a run, on one line. */
export function auditSummary(
  { events }: StoredState,
  { unaudited, doubled }: Findings,
  chain: ChainReport,
): string {
  const unpaired = events.filter(({ audits }) => audits !== 1).length;
  return [
    `${unaudited} acknowledged commands without CommandAudited`,
    `${unpaired} events without exactly one EventAudited`,
    `${doubled} duplicates`,
    chain.ok ? 'chain verifies' : `chain breaks at ${chain.firstBroken}`,
  ].join(', ');
}
