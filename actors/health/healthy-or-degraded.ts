import type { HealthReport } from '../../contracts/health.js';

export const healthy: HealthReport = { status: 'Healthy' };

/** What a follower that cannot renew its leases reports at once, not when it lags behind. */
export const notRenewed = (whose: string, reason: string | undefined): readonly string[] =>
  reason === undefined
    ? []
    : [`The leases of the ${whose} cannot be renewed: ${reason.replace(/[.\s]+$/, '')}.`];

/** Degraded if there is anything to report. */
export const degradedBy = (details: readonly string[]): HealthReport =>
  details.length === 0 ? healthy : { status: 'Degraded', detail: details.join(' ') };
