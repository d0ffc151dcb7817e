import type { HealthCheck, HealthReport } from '../../contracts/health.js';

const { signal } = new AbortController();

export const runCheck = async (check: HealthCheck): Promise<HealthReport> => check.check(signal);

/** What a check that is not healthy says. */
export const failureOf = (check: HealthCheck): Promise<string> =>
  runCheck(check).then(
    () => 'Healthy',
    (error: unknown) => (error as Error).message,
  );
