import type { HealthCheck, HealthPaths } from '../../contracts/health.js';
import { mustHaveAmqpClient } from '../../runtime/probes/amqp.js';
import type { Addition } from '../../runtime/service/service.js';
import { amqpBrokerCheck } from './transport-checks.js';

/**
 * Readiness waits for this check too.
 *
 * @example
 * ```ts
 * configure: (service) =>
 *   void service.with(addHealthCheck(carriers)),
 * ```
 */
export const addHealthCheck =
  (check: HealthCheck): Addition =>
  ({ health }) => {
    health.checks.push(check);
  };

/**
 * Checks an AMQP 0-9-1 broker as `amqp_broker` with the package amqplib; a second call replaces the first.
 *
 * @example
 * ```ts
 * configure: (service) =>
 *   void service.with(addAmqpBrokerHealthChecks('amqp://127.0.0.1')),
 * ```
 */
export const addAmqpBrokerHealthChecks =
  (url: string): Addition =>
  ({ health }) => {
    mustHaveAmqpClient();
    const check = amqpBrokerCheck(url);
    const index = health.checks.findIndex(({ name }) => name === check.name);
    if (index === -1) health.checks.push(check);
    else health.checks[index] = check;
  };

/**
 * Serves the probes on paths other than /health/live, /health/ready and /health.
 *
 * @example
 * ```ts
 * configure: (service) =>
 *   void service.with(mapHealthPaths({ ready: '/ready' })),
 * ```
 */
export const mapHealthPaths =
  (paths: Partial<HealthPaths>): Addition =>
  ({ health }) => {
    health.paths = { ...health.paths, ...paths };
  };
