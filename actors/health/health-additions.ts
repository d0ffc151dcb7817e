import type { HealthCheck, HealthPaths } from '../../contracts/health.js';
import { mustHaveAmqpClient } from '../../runtime/probes/amqp.js';
import type { Addition } from '../../runtime/service/service.js';
import { amqpBrokerCheck } from './transport-checks.js';

/** Readiness waits for this check too. */
export const addHealthCheck =
  (check: HealthCheck): Addition =>
  ({ health }) => {
    health.checks.push(check);
  };

/** Checks an AMQP 0-9-1 broker as `amqp_broker` with the package amqplib; a second call replaces the first. */
export const addAmqpBrokerHealthChecks =
  (url: string): Addition =>
  ({ health }) => {
    mustHaveAmqpClient();
    const check = amqpBrokerCheck(url);
    const index = health.checks.findIndex(({ name }) => name === check.name);
    if (index === -1) health.checks.push(check);
    else health.checks[index] = check;
  };

/** Serves the probes on paths other than /health/live, /health/ready and /health. */
export const mapHealthPaths =
  (paths: Partial<HealthPaths>): Addition =>
  ({ health }) => {
    health.paths = { ...health.paths, ...paths };
  };
