import type { HealthReport } from '../../contracts/health.js';

export const healthy: HealthReport = { status: 'Healthy' };

/** Degraded if there is anything to report. */
export const degradedBy = (details: readonly string[]): HealthReport =>
  details.length === 0 ? healthy : { status: 'Degraded', detail: details.join(' ') };
