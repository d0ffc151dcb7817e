import { resolve } from 'node:path';
import type { Supervisor } from '../../actors/supervisor/supervisor.js';
import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
  type OpenedDatabase,
} from '../../runtime/database/database.js';
import { observed, DatabaseLiveness } from '../../runtime/database/liveness.js';
import { ownerAt } from '../../runtime/database/schema-owner.js';
import type { StoreConnection } from '../../runtime/service/store-connection.js';
import { pruning } from '../../runtime/service/store-upkeep.js';
import { unsafeSettings, writableSchema } from '../../runtime/database/check-server-settings.js';
import { type EmbeddedServer, startEmbeddedServer } from '../../runtime/database/embedded-server.js';
import { mustKeepSessions } from '../../runtime/database/must-keep-sessions.js';
import { markSession } from '../../runtime/leases/mark-session.js';
import { firstServerUrl, serverUrls } from '../../runtime/database/server-list.js';
import { afterRunning } from '../../runtime/lang/after-running.js';
import { log } from '../../runtime/logging/log.js';
import { StoreWitness } from '../../runtime/store/store-witness.js';
import { type SeenEvent, WitnessFile } from '../../runtime/store/witness-file.js';
import { ensureRoleAt } from '../../runtime/migrations/migrate.js';
import { separateLogin } from '../../runtime/migrations/runtime-role.js';
import type { Config } from '../config/config.js';

export interface HostDatabase extends StoreConnection {
  /** Of the leases of this host; all its sessions are marked with it. */
  readonly owner: Uuid;
  readonly ownerUrl: string;
  /** The role of all other connections. */
  readonly runtimeUser: string;
  readonly liveness: DatabaseLiveness;
  readonly witness: StoreWitness;
  readonly witnessFile: WitnessFile | undefined;
  /** A stop begins: what it asks the store for must have an answer in time. */
  limitStop(): void;
}

/** Of the ten seconds of a stop: requests have ended by then, and a store that answers would have let go of the rest. */
const stopWithinMs = 8_300;

/** Opens the embedded or the configured database of a host, before migration. */
export async function connectDatabase(
  config: Config,
  supervisor: Supervisor,
  embedded?: EmbeddedServer,
): Promise<HostDatabase> {
  const { url, ownerUrl } = await urlsOf(config, supervisor, embedded);
  const runtimeUser = decodeURIComponent(firstServerUrl(url).username);
  const { role, isOwner } = await ensureRoleAt(ownerUrl, runtimeUser);
  if (isOwner) log.warn({ sql: separateLogin(url) }, ownerLoginWarning(config));
  if (role === undefined) {
    log.warn('the role svc_runtime could not be created: only triggers protect the append-only tables');
  }
  const liveness = new DatabaseLiveness();
  const onError = (err: Error): void => {
    liveness.lost();
    log.warn({ err: err.message }, 'a database connection was lost');
  };
  const { name: applicationName, durability = 'local' } = config;
  const as = role === undefined ? {} : { role };
  const witness = new StoreWitness({ host: config.name, acceptsLoss: durability !== 'sync' });
  const owner = newUuid();
  const onConnect: DatabaseOptions['onConnect'] = async (session) => {
    await markSession(session, owner);
    await witness.connected(session);
  };
  const options = { url, ...as, applicationName, durability, onError, onConnect };
  const opened = openDatabase(options);
  const { limitStop, close } = stoppedInTime(opened);
  const database = await supervisor.keep('database', () => observed(opened, liveness), close);
  const witnessFile =
    config.witnessDir === undefined ? undefined : new WitnessFile(config.witnessDir, config.name);
  const connection = {
    owner,
    database,
    liveness,
    witness,
    witnessFile,
    runtimeUser,
    ...ownerAt(ownerUrl),
    ownerUrl,
    limitStop,
  };
  // What writes stops before it, so that the last event is in the file.
  await supervisor.keep('witness', () => connection, keepIfSeen);
  await mustKeepSessions(database);
  await checkDurability(database, config, url);
  await supervisor.start({ name: 'pruning', start: () => pruning(database) });
  return connection;
}

/** From the beginning of a stop on, the store has this time to answer. */
function stoppedInTime(opened: OpenedDatabase) {
  let cancel = (): void => undefined;
  return {
    limitStop: (): void => void (cancel = afterRunning(stopWithinMs, () => opened.cut())),
    close: (): Promise<void> => opened.close().finally(() => cancel()),
  };
}

/** What is declared must hold; what is not is a warning. */
async function checkDurability(database: Database, { durability }: Config, url: string): Promise<void> {
  const unsafe = await unsafeSettings(database);
  if (unsafe !== undefined && durability !== undefined)
    throw new Problem('invalid-setup', { detail: `SVC_DURABILITY is ${durability}, but ${unsafe}.` });
  if (unsafe !== undefined) log.warn(unsafe);
  const writable = await writableSchema(database);
  if (writable !== undefined) log.warn(writable);
  if (durability !== 'sync' && (serverUrls(url)?.length ?? 1) > 1) log.warn(unfencedWarning);
}

const unfencedWarning =
  'DATABASE_URL lists several servers, and SVC_DURABILITY is not sync: a primary that is cut off may keep accepting writes that a failover loses';

interface Urls {
  readonly url: string;
  readonly ownerUrl: string;
}

async function urlsOf(config: Config, supervisor: Supervisor, embedded?: EmbeddedServer): Promise<Urls> {
  const { databaseUrl: url, ownerUrl } = config;
  if (url !== undefined) return { url, ownerUrl: ownerUrl ?? url };
  const open = () =>
    embedded ?? startEmbeddedServer({ dataDir: resolve(config.dataDir), keepsRunning: true });
  const server = await supervisor.keep('postgres', open, (opened) => opened.stop());
  return { url: server.runtimeUrl, ownerUrl: server.url };
}

const ownerLoginWarning = ({ ownerUrl }: Config): string =>
  ownerUrl === undefined
    ? 'DATABASE_URL logs in as the owner of the store, who can remove its protection: run this SQL, set DATABASE_URL to log in as svc_login, and DATABASE_OWNER_URL to the present DATABASE_URL'
    : 'DATABASE_URL logs in as a role that can become the owner of the store in DATABASE_OWNER_URL, and remove its protection: run this SQL, and set DATABASE_URL to log in as svc_login';

const storeIds = new WeakMap<Database, Promise<string>>();

/** The id never changes and has many readers. */
export function storeIdOf(database: Database): Promise<string> {
  const known = storeIds.get(database) ?? readStoreId(database);
  storeIds.set(database, known);
  known.catch(() => storeIds.delete(database));
  return known;
}

type WitnessedDatabase = Pick<HostDatabase, 'database' | 'witness' | 'witnessFile'>;

/** What hosts of this machine have seen of the store. */
export const seenBefore = async ({
  database,
  witnessFile,
}: WitnessedDatabase): Promise<readonly SeenEvent[]> =>
  (await witnessFile?.read(await storeIdOf(database))) ?? [];

/** Notes what the host has seen of its store, for after a restart. */
export async function keepSeen({ database, witness, witnessFile }: WitnessedDatabase): Promise<void> {
  await witnessFile?.write(await storeIdOf(database), witness.newest);
}

/** A start that failed has seen nothing, and its store may not exist yet. */
const keepIfSeen = (connection: WitnessedDatabase): Promise<void> | undefined =>
  connection.witness.newest === undefined ? undefined : keepSeen(connection);

async function readStoreId(database: Database): Promise<string> {
  const [row] = await database.rows({ text: 'SELECT id FROM svc_store' });
  return row?.[0] ?? '';
}
