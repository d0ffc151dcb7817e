import { type ChainReport, verifyChain } from '../../../../runtime/audit/verify-chain.js';
import type { Database } from '../../../../runtime/database/database.js';
import type { SystemPart } from '../../model/system-records.js';
import type { ConsoleHost, ConsoleSource, HostInfo } from '../../model/console-source.js';
import type { OwnHost } from '../host/own-host.js';
import { systemPart } from '../host/system-stream-part.js';
import { recordsOfHost, receivedRecords } from './received-record.js';
import type { HostKey, KnownHosts } from './known-hosts.js';

/** The console of a monitor: the overview first, then each known host. */
export function monitorConsole(
  { host: own, database }: Pick<OwnHost, 'host' | 'database'>,
  knownHosts: KnownHosts,
): ConsoleSource {
  const { host } = own.about;
  const all: ConsoleHost = {
    ...own,
    about: { ...own.about, panels: ['overview', 'system', 'outbox', 'actors', 'health'] },
    system: systemPart(database, receivedRecords, () => verifyAll(database)),
    overview: () => knownHosts.overview(),
  };
  const known = new Map<string, ConsoleHost>();
  const hostNamed = (name: string): ConsoleHost | undefined => {
    const key = knownHosts.keyOf(name);
    if (key === undefined) return undefined;
    const found = known.get(name) ?? broadcastingHost(name, key, database, knownHosts);
    known.set(name, found);
    return found;
  };
  return {
    hosts: () => [host, ...knownHosts.names],
    select: (selected) =>
      selected.host === undefined || selected.host === host ? all : hostNamed(selected.host),
  };
}

function broadcastingHost(
  name: string,
  key: HostKey,
  database: Database,
  knownHosts: KnownHosts,
): ConsoleHost {
  return {
    get about(): HostInfo {
      const { service = '', version = '', startedAt = '' } = knownHosts.lineOf(name) ?? {};
      const panels = ['system', 'health'];
      return { host: name, service, version, startedAt, broadcasts: true, rebuilds: false, panels };
    },
    system: receivedFrom(key, database),
    health: () => knownHosts.healthOf(name),
  };
}

/** The origin is known once there is a record of it; until then there is nothing to show. */
function receivedFrom({ host, store }: HostKey, database: Database): SystemPart {
  let part: SystemPart | undefined;
  const found = async (): Promise<SystemPart> => {
    if (part !== undefined) return part;
    const text = 'SELECT origin FROM svc_origins WHERE store = $1';
    const [row] = await database.rows({ text, values: [store] });
    if (row === undefined) return systemPart(database, recordsOfHost(-1, host));
    const chainOf = () => verifyChain(database, { origin: store });
    return (part = systemPart(database, recordsOfHost(Number(row[0]), host), chainOf));
  };
  return {
    head: async () => (await found()).head(),
    after: async (position, limit) => (await found()).after(position, limit),
    page: async (filter, before, limit) => (await found()).page(filter, before, limit),
    facets: async (filter) => (await found()).facets(filter),
    record: async (position) => (await found()).record(position),
    verify: async () => (await found()).verify(),
  };
}

interface ChainsReport extends ChainReport {
  readonly chains: number;
  readonly store?: string;
}

/** Verifies one chain after the other, up to the first that is broken. */
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
