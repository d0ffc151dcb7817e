import { Problem } from '../../../contracts/problems.js';
import { csvRecords } from './csv.js';

/** What HAProxy reports about one server. */
export interface ServerStats {
  readonly name: string;
  readonly isUp: boolean;
  readonly weight: number;
  /** Requests in flight, and those that wait for a connection. */
  readonly inFlight: number;
  /** Requests since HAProxy started, and those answered with 5xx or not at all. */
  readonly requests: number;
  readonly errors: number;
}

/** The servers of a backend in the answer to `show stat`. */
export const serverStatsIn = (text: string, backend: string): readonly ServerStats[] =>
  recordsIn(text, backend, serverType).map(serverIn);

/** How many requests HAProxy itself answered with 5xx, without an error of a server. */
export function unservedIn(text: string, backend: string): number {
  const [total] = recordsIn(text, backend, backendType);
  const ofServers = serverStatsIn(text, backend).reduce((sum, { errors }) => sum + errors, 0);
  return total === undefined ? 0 : Math.max(0, numberIn(total, 'hrsp_5xx') - ofServers);
}

const backendType = '1';
const serverType = '2';

type StatRecord = ReadonlyMap<string, string>;

function recordsIn(text: string, backend: string, type: string): readonly StatRecord[] {
  if (!text.startsWith('# pxname,svname,'))
    throw new Problem('front-unreachable', { detail: 'HAProxy did not answer show stat with statistics.' });
  return csvRecords(text.slice('# '.length)).filter(
    (record) => record.get('pxname') === backend && record.get('type') === type,
  );
}

function numberIn(record: StatRecord, name: string): number {
  const text = record.get(name) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

function serverIn(record: StatRecord): ServerStats {
  const numberOf = (name: string): number => numberIn(record, name);
  // A connection that failed and an answer that broke off have no status.
  const failed = numberOf('econ') + numberOf('eresp');
  return {
    name: record.get('svname') ?? '',
    isUp: record.get('status')?.startsWith('UP') === true,
    weight: numberOf('uweight'),
    inFlight: numberOf('scur') + numberOf('qcur'),
    requests: numberOf('req_tot') + failed,
    errors: numberOf('hrsp_5xx') + failed,
  };
}
