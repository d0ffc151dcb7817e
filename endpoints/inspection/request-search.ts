import type { RequestRecord } from './request-recorder.js';

type Matches = (record: RequestRecord, host: string) => boolean;

/**
 * Understands `status:409`, `status:4xx`, `outcome:failed`, `command:Create`, `error:order-closed`, `host:north-1`,
 * `transport:graphql`, `slower:500` and `since:10:30`; a number of three digits is a status, any other word part of an
 * id, a command or an error. All of them must match.
 */
export function searchFor(text: string): Matches {
  const terms = text.trim().split(/\s+/).filter(Boolean).map(termOf);
  return (record, host) => terms.every((matches) => matches(record, host));
}

const has = (value: string | undefined, wanted: string): boolean =>
  value?.toLowerCase().includes(wanted) ?? false;

const fields: Readonly<Record<string, (wanted: string) => Matches>> = {
  status: (wanted) => (record) => isStatus(record.status, wanted),
  outcome: (wanted) => (record) => record.outcome === wanted,
  command: (wanted) => (record) => has(record.command, wanted),
  error: (wanted) => (record) => has(record.error?.name, wanted) || has(record.error?.code, wanted),
  host: (wanted) => (_, host) => has(host, wanted),
  transport: (wanted) => (record) => record.transport === wanted,
  id: (wanted) => (record) => hasId(record, wanted),
  slower: (wanted) => {
    const ms = Number(wanted.replace(/ms$/, ''));
    return (record) => record.ms >= ms;
  },
  since: (wanted) => {
    const from = timeOf(wanted);
    return (record) => Date.parse(record.startedAt) >= from;
  },
};

function termOf(word: string): Matches {
  const wanted = word.toLowerCase();
  const colon = wanted.indexOf(':');
  const name = wanted.slice(0, Math.max(0, colon));
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field !== undefined) return field(wanted.slice(colon + 1));
  if (/^[1-5](?:\d\d|xx)$/.test(wanted)) return (record) => isStatus(record.status, wanted);
  return (record) =>
    hasId(record, wanted) ||
    has(record.command, wanted) ||
    has(record.error?.name, wanted) ||
    has(record.error?.code, wanted) ||
    record.outcome === wanted;
}

const hasId = ({ id, correlationId, traceId }: RequestRecord, wanted: string): boolean =>
  has(id, wanted) || has(correlationId, wanted) || has(traceId, wanted);

const isStatus = (status: number | undefined, wanted: string): boolean =>
  status !== undefined &&
  (wanted.endsWith('xx') ? String(status).startsWith(wanted.slice(0, 1)) : String(status) === wanted);

/** A time of today in the host's time zone, or a date; one that cannot be read matches nothing. */
function timeOf(text: string): number {
  const clock = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(text);
  if (clock === null) return Date.parse(text.toUpperCase());
  const [, hours = '', minutes = '', seconds = '0'] = clock;
  return new Date().setHours(Number(hours), Number(minutes), Number(seconds), 0);
}
