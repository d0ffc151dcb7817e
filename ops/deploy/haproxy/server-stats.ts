import { Problem } from '../../../contracts/problems.js';

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

/** The records of a CSV text, by the names in its first line; a quoted field may hold commas, quotes and line ends. */
function csvRecords(text: string): readonly ReadonlyMap<string, string>[] {
  const [names = [], ...rows] = csvRows(text);
  return rows.map((row) => new Map(row.map((value, column) => [names[column] ?? '', value])));
}

function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length;) {
    const { value, end } = text[at] === '"' ? quotedField(text, at + 1) : plainField(text, at);
    row.push(value);
    if (text[end] !== ',') {
      rows.push(row);
      row = [];
    }
    at = end + 1;
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

interface Field {
  readonly value: string;
  /** The position of the comma or line end after it. */
  readonly end: number;
}

const fieldEnd = /[,\n]/g;

function plainField(text: string, start: number): Field {
  fieldEnd.lastIndex = start;
  const end = fieldEnd.exec(text)?.index ?? text.length;
  return { value: text.slice(start, end), end };
}

function quotedField(text: string, start: number): Field {
  const parts: string[] = [];
  for (let from = start; ;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return { value: text.slice(start), end: text.length };
    parts.push(text.slice(from, quote));
    if (text[quote + 1] !== '"') return { value: parts.join('"'), end: plainField(text, quote + 1).end };
    from = quote + 2;
  }
}
