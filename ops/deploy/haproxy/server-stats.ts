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
export function serverStatsIn(text: string, backend: string): readonly ServerStats[] {
  if (!text.startsWith('# pxname,svname,'))
    throw new Problem('front-unreachable', { detail: 'HAProxy did not answer show stat with statistics.' });
  return csvRecords(text.slice('# '.length)).flatMap((record) =>
    record.get('pxname') === backend && record.get('type') === serverType ? serverIn(record) : [],
  );
}

const serverType = '2';

function serverIn(record: ReadonlyMap<string, string>): ServerStats {
  const numberOf = (name: string): number => {
    const text = record.get(name) ?? '';
    return /^\d{1,15}$/.test(text) ? Number(text) : 0;
  };
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
