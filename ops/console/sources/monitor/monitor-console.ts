import { type ChainReport, verifyChain } from '../../../../runtime/audit/verify-chain.js';
import type { Database } from '../../../../runtime/database/database.js';
import type { SystemPart } from '../../model/records.js';
import type { ConsoleHost, ConsoleSource, HostFacts } from '../../model/source.js';
import type { OwnHost } from '../host/own-host.js';
import { systemPart } from '../host/system-part.js';
import { logOf, receivedLog } from './received-record.js';
import type { HostPlace, Roster } from './roster.js';

/** The console of a monitor: first everybody, then each host that was heard of. */
export function monitorConsole(
  { host: own, database }: Pick<OwnHost, 'host' | 'database'>,
  roster: Roster,
): ConsoleSource {
  const { host } = own.about;
  const all: ConsoleHost = {
    ...own,
    about: { ...own.about, panels: ['overview', 'system', 'outbox', 'actors', 'health'] },
    system: systemPart(database, receivedLog, () => verifyAll(database)),
    overview: () => roster.overview(),
  };
  const known = new Map<string, ConsoleHost>();
  const watched = (name: string): ConsoleHost | undefined => {
    const place = roster.placeOf(name);
    if (place === undefined) return undefined;
    const found = known.get(name) ?? watchedHost(name, place, database, roster);
    known.set(name, found);
    return found;
  };
  return {
    hosts: () => [host, ...roster.names],
    at: (place) => (place.host === undefined || place.host === host ? all : watched(place.host)),
  };
}

function watchedHost(name: string, place: HostPlace, database: Database, roster: Roster): ConsoleHost {
  return {
    get about(): HostFacts {
      const { service = '', version = '', startedAt = '' } = roster.lineOf(name) ?? {};
      const panels = ['system', 'health'];
      return { host: name, service, version, startedAt, broadcasts: true, rebuilds: false, panels };
    },
    system: receivedFrom(place, database),
    health: () => roster.healthOf(name),
  };
}

/** Its origin is known as soon as there is a record of it; until then there is nothing. */
function receivedFrom({ host, store }: HostPlace, database: Database): SystemPart {
  let part: SystemPart | undefined;
  const found = async (): Promise<SystemPart> => {
    if (part !== undefined) return part;
    const text = 'SELECT origin FROM svc_origins WHERE store = $1';
    const [row] = await database.rows({ text, values: [store] });
    if (row === undefined) return systemPart(database, logOf(-1, host));
    const chainOf = () => verifyChain(database, { origin: store });
    return (part = systemPart(database, logOf(Number(row[0]), host), chainOf));
  };
  return {
    head: async () => (await found()).head(),
    after: async (position, limit) => (await found()).after(position, limit),
    page: async (filter, before, limit) => (await found()).page(filter, before, limit),
    record: async (position) => (await found()).record(position),
    verify: async () => (await found()).verify(),
  };
}

interface ChainsReport extends ChainReport {
  readonly chains: number;
  readonly store?: string;
}

/** One chain after the other, up to the first that is broken. */
async function verifyAll(database: Database): Promise<ChainsReport> {
  const stores = await database.rows({
    text: `SELECT store FROM svc_origins o WHERE origin <> 0
      AND EXISTS (SELECT FROM svc_received_system_events r WHERE r.origin = o.origin) ORDER BY origin`,
  });
  let records = 0;
  let report: ChainReport = { ok: true, records: 0, head: { position: 0, hash: '' } };
  for (const [store] of stores) {
    report = await verifyChain(database, { origin: store ?? '' });
    records += report.records;
    if (!report.ok) return { ...report, records, chains: stores.length, store: store ?? '' };
  }
  return { ...report, records, chains: stores.length };
}
