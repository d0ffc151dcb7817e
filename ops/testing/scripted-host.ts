import { Problem } from '../../contracts/problems.js';
import type { ActedBy } from '../console/model/acted-by.js';
import type { OutboxFigures } from '../console/model/outbox.js';
import type { PerspectiveFigures, PerspectivesPart } from '../console/model/perspectives.js';
import type { StreamRecord, SystemPart } from '../console/model/system-records.js';
import type { ParkedRowDetails } from '../../runtime/perspectives/parked/parked-rows.js';
import type { RequestItem } from '../console/model/requests.js';
import type { ConsoleHost, ConsoleSource, HostInfo } from '../console/model/console-source.js';

/** A host whose state a test controls. */
export interface ScriptedHost extends ConsoleHost {
  readonly requests: RequestItem[];
  readonly stream: StreamRecord[];
  readonly actions: string[];
  /** Who took each action, and why. */
  readonly operators: readonly string[];
  outboxFigures: () => Promise<OutboxFigures>;
  watchers: number;
  rebuilding: PerspectiveFigures['rebuild'];
  parkedRows: readonly ParkedRowDetails[];
}

export const aRequest = (id: string): RequestItem => ({
  id,
  correlationId: `c-${id}`,
  command: 'BakeBread',
  transport: 'rest',
  outcome: 'completed',
  startedAt: '2026-01-01T00:00:00.000Z',
  ms: 4,
  states: [['dispatching', 4]],
});

export const aRecord = (position: number): StreamRecord => ({
  position,
  eventId: `e-${position}`,
  eventType: 'CommandAudited',
  recordedAt: '2026-01-01T00:00:00.000Z',
  host: 'bakery-1',
  subject: 'BakeBread',
});

const quiet: OutboxFigures = {
  pending: 0,
  more: false,
  oldestAgeMs: undefined,
  relay: 'idle',
  counts: {},
  dead: 1,
};

const noFigures = { failed: 0, crashed: 0, rejected: 0, replayed: 0, states: [], edges: [] };

type Act = (what: string, by?: ActedBy) => Promise<boolean>;

const systemOf = (stream: readonly StreamRecord[], did: Act): SystemPart => ({
  head: () => Promise.resolve(stream.length),
  after: (position, limit) =>
    Promise.resolve(stream.filter((record) => record.position > position).slice(-limit)),
  page: (filter) =>
    Promise.resolve({
      records: stream.filter(({ eventType }) => filter.type === undefined || eventType === filter.type),
      before: undefined,
    }),
  facets: () => Promise.resolve({ examined: stream.length, values: [] }),
  record: () => Promise.resolve(undefined),
  verify: async () => {
    await did('verify');
    return { ok: true, records: 0, head: { position: 0, hash: '' }, verifiedAt: '' };
  },
});

const aboutOf = (host: string): HostInfo => ({
  host,
  service: 'bakery',
  version: '1',
  broadcasts: false,
  startedAt: '2026-01-01T00:00:00.000Z',
  rebuilds: true,
});

const aRow = { row: { state: 'baked' }, position: 3, updatedAt: '2026-01-01T00:00:00.000Z' };

const perspectivesOf = (shown: () => ScriptedHost, act: Act): PerspectivesPart => ({
  list: () => [{ name: 'breads', position: 3, lag: 0, state: 'live', rebuild: shown().rebuilding }],
  rows: (name, { after = '' }) => {
    const rows = ['loaf', 'roll'].filter((key) => key > after).map((key) => ({ key, ...aRow }));
    const page = { rows: rows.slice(0, 1), byStream: false, isHidden: false, hasMore: rows.length > 1 };
    return Promise.resolve(name === 'breads' ? page : undefined);
  },
  parked: (name) => Promise.resolve(name === 'breads' ? shown().parkedRows : undefined),
  release: async (name, key, by) => {
    const known = shown().parkedRows.map((row) => row.key);
    if (key !== undefined && !known.includes(key)) throw new Problem('not-found');
    return (await act(['release', name, key].filter(Boolean).join(' '), by)) ? 1 : 0;
  },
  cancelRebuild: (name, by) =>
    shown().rebuilding === undefined ? Promise.resolve(false) : act(`cancel ${name}`, by),
  rebuild: async (name, { mode, streams = [], maxRate = '' }, by) => {
    await act(['rebuild', name, mode, ...streams, maxRate].join(' ').trim(), by);
  },
});

export function scriptedHost(host = 'bakery-1'): ScriptedHost {
  const requests: RequestItem[] = [];
  const stream: StreamRecord[] = [];
  const actions: string[] = [];
  const operators: string[] = [];
  const act: Act = (what, by) => {
    if (by !== undefined) operators.push(`${what} by ${by.actor}, ${by.reason ?? 'without a reason'}`);
    return Promise.resolve(actions.push(what) > 0);
  };
  const shown: ScriptedHost = {
    requests,
    stream,
    actions,
    operators,
    watchers: 0,
    rebuilding: undefined,
    parkedRows: [],
    outboxFigures: () => Promise.resolve(quiet),
    about: aboutOf(host),
    lifecycle: {
      machine: { id: 'lifecycle' },
      figures: () => ({ ...noFigures, requests: requests.length }),
      history: () => [],
      inFlight: () => [],
      requests: (text, limit) => requests.filter(({ id }) => id.includes(text)).slice(0, limit),
      request: () => Promise.resolve(undefined),
      watch: () => {
        shown.watchers++;
        return () => void shown.watchers--;
      },
    },
    system: systemOf(stream, act),
    outbox: {
      figures: () => shown.outboxFigures(),
      deadLetters: () => Promise.resolve([]),
      deadLetter: () => Promise.resolve(undefined),
      replay: (id, by) => (id === 7 ? act(`replay ${id}`, by) : Promise.resolve(false)),
      discard: (id, by) => act(`discard ${id}`, by),
    },
    flags: {
      list: () =>
        Promise.resolve([{ name: 'fancy', on: false, declared: true, words: 'off', tenants: {}, users: {} }]),
      turn: (name, on, by) => act(`turn ${name} ${on ? 'on' : 'off'}`, by),
    },
    perspectives: perspectivesOf(() => shown, act),
  };
  return shown;
}

export const consoleOf = (...hosts: readonly ConsoleHost[]): ConsoleSource => ({
  hosts: () => hosts.map(({ about }) => about.host),
  select: ({ host }) => (host === undefined ? hosts[0] : hosts.find(({ about }) => about.host === host)),
});
