import { HealthStatus } from '../../contracts/health.js';
import type { CheckStatus, HostStatus, ReceivedStatus } from '../../contracts/host-status.js';
import { isTimestamp } from '../../contracts/scalars.js';
import { invalid, type ReceivedEnvelope } from './read-envelope.js';

const maxChecks = 50;
const maxTextLength = 300;

/** Throws a Problem when the payload is not a status; truncates what is too long. */
export function readHostStatus({ payload, host, store, recordedAt }: ReceivedEnvelope): ReceivedStatus {
  const given = (payload ?? {}) as Readonly<Record<keyof HostStatus, unknown>>;
  const { startedAt, state, checks } = given;
  if (!isTimestamp(startedAt) || !Array.isArray(checks)) throw noStatus();
  return {
    host,
    store,
    reportedAt: recordedAt,
    service: textOf(given.service),
    version: textOf(given.version),
    startedAt,
    state: state === 'stopped' ? 'stopped' : 'up',
    status: statusOf(given.status),
    checks: checks.slice(0, maxChecks).map(checkOf),
  };
}

function checkOf(value: unknown): CheckStatus {
  const { name, status, detail } = (value ?? {}) as Readonly<Record<keyof CheckStatus, unknown>>;
  const given = typeof detail === 'string' && detail !== '' ? { detail: textOf(detail) } : {};
  return { name: textOf(name), status: statusOf(status), ...given };
}

function textOf(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value.slice(0, maxTextLength);
  throw noStatus();
}

function statusOf(value: unknown): HealthStatus {
  const found = Object.values(HealthStatus).find((status) => status === value);
  if (found === undefined) throw noStatus();
  return found;
}

const noStatus = () => invalid('A host status needs a service, a version, its start, a status and checks.');
