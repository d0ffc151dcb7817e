import { isUuid } from '../../contracts/scalars.js';
import { recordedAction } from '../../runtime/store/operator-action.js';
import type { Database } from '../../runtime/database/database.js';
import type { StoreConnection } from '../../runtime/service/store-connection.js';
import { type Adopted, adoptStore } from '../../runtime/store/store-binding.js';
import { acceptLoss, readStoreStatus, releaseOrigin } from '../../runtime/store/store-status.js';
import { setBroadcast } from '../../runtime/store/store-broadcast.js';
import { withConnectionOf } from '../cli/database.js';
import { cliEditor } from '../cli/access-editor.js';
import { type Config, readConfig } from '../config/config.js';
import { printToStdout } from '../terminal/print.js';
import type { Verb } from '../cli/verb.js';
import { argumentsOf, reasonIn, usageOf } from './arguments.js';
import { exportStore, importedText, importStore } from './store-files.js';
import { type ShownStatus, statusText } from './store-text.js';
import { rotatedKeyText, rotatedMasterText, rotateKey, rotateMaster } from './rotate-keys.js';
import { move } from './store-move.js';

export const store: Verb = {
  help: `
svc store status
svc store accept-loss --reason TEXT
svc store adopt --reason TEXT [--moved]
svc store release <id> --reason TEXT
svc store broadcast on|off [--reason TEXT]
svc store rotate-key [--reason TEXT]
svc store rotate-master [--reason TEXT] [--app APP] [--force]
svc store export FILE [--app APP]
svc store import FILE [--publish] [--app APP]
svc store move --to URL [--reason TEXT]
svc store move resume|abort

status shows the store: its id, its epoch and the timeline of its server, the last position of its log, its standbys, what
it has lost, and the database to which its id is bound. An epoch begins when a standby is promoted, a disk is restored or
the store moves.
With SVC_DURABILITY=sync, hosts do not write to a store that lacks acknowledged events. accept-loss gives these events up:
hosts write again, and the system stream records StoreWentBack.
A host does not start on a copy of a store, because both would publish under one id. adopt gives the copy its own id: it
does not publish earlier events again, or receive those of the original twice. adopt is refused while a host runs there.
With --moved the copy keeps the id, because the original is gone, for example after a restore elsewhere or pg_upgrade.
If this store has events that another store lost when it went back, the messages of that store wait as dead letters.
release <id> accepts messages of that store again; then run svc dead-letters replay --error 'went back'. The events that
it lost stay here.
SVC_BROADCAST of a host decides whether it publishes its system events. The host that started last records its setting in
the store, and the command line follows that. If running hosts differ, broadcast changes the recorded setting.
rotate-key replaces the key with which the store signs: the old key signs the new one, and stores that know the old one
accept it. The new key is kept in the store. If you use SVC_SIGNING_KEY, set it to the new key and SVC_SIGNING_KEY_OLD to
the old one.
rotate-master wraps the keys of subjects with another master key. Until it has ended, every host needs the new key in
SVC_MASTER_KEY and the old one in SVC_MASTER_KEY_OLD. If it is interrupted, run it again. It fails if it cannot rewrap a key.
export writes the events of this store as lines of JSON. import stores such lines as events with their ids and times. The
FILE - is stdout or stdin. Perspectives fold imported events; reactions, processes and the relay skip them. EventsImported
records them. If an import is interrupted, run it again. With --app, export decrypts values that have a subject, and import
encrypts them.
move copies the store to an empty database on another server while hosts write, makes writers wait for up to 5 s until that
database has everything, and closes this one. Hosts whose DATABASE_URL lists both servers continue there. move resume
continues an interrupted move; move abort undoes one that has not switched over. A move needs wal_level=logical here, and
connects as the owner.
The system stream records who did it (SVC_ACTOR, or the user of the operating system) and why. adopt, rotate-key,
rotate-master, import and move connect with DATABASE_OWNER_URL if it is set. The store is the one at DATABASE_URL, or the
embedded one in SVC_DATA_DIR (.svc).

  --to URL       move: the empty database, with its owner as user; its server must be able to connect to this one. Give the
                 password as SVC_MOVE_PASSWORD: other users of the machine can see the arguments of a process
  --reason TEXT  why; required by accept-loss, adopt and release
  --moved        adopt: keep the id, because the original is gone
  --app APP      rotate-master: the application whose keyWrapper wraps the keys; export, import: the one that declares
                 which values have a subject
  --publish      import: the relay sends the events to the broker
  --force        adopt: even a copy of the data directory, which looks like its original; rotate-master: although an
                 earlier rotation has not ended
  --json         prints JSON

  svc store accept-loss --reason "the disk of db-a cannot be read"`,
  run: async (args) => {
    if (args[0] === 'move') return move(args.slice(1));
    const given = parse(args);
    const { action, argument, reason, json } = given;
    await withConnectionOf(readConfig(), async (connection, config) => {
      const { database } = connection;
      if (action === 'export') await exportStore(connection, config, given);
      else if (action === 'import') print(await importStore(connection, config, given), json, importedText);
      else if (action === 'rotate-key')
        print(await rotateKey(connection, config, given), json, rotatedKeyText);
      else if (action === 'rotate-master')
        print(await rotateMaster(connection, config, given), json, rotatedMasterText);
      else if (action === 'adopt') print(await adopt(connection, config, given), json, adoptedText);
      else if (action === 'release')
        print(await release(database, config, argument, reason), json, releasedText);
      else if (action === 'broadcast')
        print(await broadcast(database, config, argument === 'on', reason), json, broadcastText);
      else if (action === 'status') print(await statusOf(database, config), json, statusText);
      else print(await accept(database, config, reason), json, acceptedText);
    });
  },
};

const statusOf = async (database: Database, { durability = 'local' }: Config): Promise<ShownStatus> => ({
  durability,
  ...(await readStoreStatus(database)),
});

type Accepted = Awaited<ReturnType<typeof acceptLoss>>;

function accept(database: Database, config: Config, reason: string): Promise<Accepted> {
  return recordedAction(
    database,
    { operator: cliEditor(config), reason },
    'store accept-loss',
    async (session) => {
      const accepted = await acceptLoss(session);
      const targets = accepted.map(({ epoch, fork, lostTo }) => `epoch ${epoch}: ${fork + 1}-${lostTo}`);
      return { result: accepted, targets };
    },
  );
}

function release(database: Database, config: Config, origin: string, reason: string) {
  return recordedAction(
    database,
    { operator: cliEditor(config), reason },
    'store release',
    async (session) => {
      await releaseOrigin(session, origin);
      return { result: { released: origin }, targets: [origin] };
    },
  );
}

/** The record itself is published if the store broadcasts before or after: a monitor would miss it otherwise. */
function broadcast(database: Database, config: Config, isOn: boolean, reason: string) {
  const settings = { ...config, broadcast: config.broadcast || isOn };
  return recordedAction(
    database,
    { operator: cliEditor(settings), reason },
    'store broadcast',
    async (session) => {
      await setBroadcast(session, isOn);
      return { result: { broadcast: isOn }, targets: [isOn ? 'on' : 'off'] };
    },
  );
}

const broadcastText = ({ broadcast: isOn }: { readonly broadcast: boolean }): string =>
  `System events of the command line are ${isOn ? 'published' : 'not published'} from now on; hosts follow their SVC_BROADCAST.`;

const releasedText = ({ released }: { readonly released: string }): string =>
  `Messages of the store ${released} are received again; run svc dead-letters replay --error 'went back' for those that wait.`;

function adopt(
  connection: StoreConnection,
  config: Config,
  { reason, ...how }: Parameters<typeof adoptStore>[1] & { readonly reason: string },
): Promise<Adopted> {
  const action = how.hasMoved ? 'store adopt --moved' : 'store adopt';
  return connection.asOwner((owner) =>
    recordedAction(owner, { operator: cliEditor(config), reason }, action, async (session) => {
      const adopted = await adoptStore(session, how);
      return { result: adopted, targets: [adopted.idBefore] };
    }),
  );
}

function print<T>(result: T, json: boolean, textOf: (result: T) => string): void {
  printToStdout(`${json ? JSON.stringify(result) : textOf(result)}\n`);
}

const acceptedText = (accepted: Accepted): string =>
  accepted
    .map(
      ({ epoch, fork, lostTo }) =>
        `Positions ${fork + 1} to ${lostTo} are given up; epoch ${epoch} continues.`,
    )
    .join('\n');

const adoptedText = ({ id, idBefore }: Adopted): string =>
  id === idBefore
    ? `The store ${id} lives here from now on.`
    : `This copy of the store ${idBefore} is the store ${id} from now on.`;

const actions = [
  'status',
  'accept-loss',
  'adopt',
  'release',
  'broadcast',
  'rotate-key',
  'rotate-master',
  'export',
  'import',
] as const;
/** What cannot be taken back. */
const needsReason: readonly string[] = ['accept-loss', 'adopt', 'release'];
const withArgument: readonly string[] = ['release', 'broadcast', 'export', 'import'];
const withFile: readonly string[] = ['export', 'import'];
const withoutReason: readonly string[] = ['status', ...withFile];
const withApp: readonly string[] = ['rotate-master', 'export', 'import'];

function parse(args: readonly string[]) {
  const flag = { type: 'boolean' } as const;
  const options = {
    reason: { type: 'string' },
    json: flag,
    moved: flag,
    force: flag,
    app: { type: 'string' },
    publish: flag,
  } as const;
  const { values, positionals } = argumentsOf(args, options, usage);
  const action = actions.find((name) => name === positionals[0]);
  const argument = positionals[1] ?? '';
  if (action === undefined || positionals.length > (withArgument.includes(action) ? 2 : 1))
    throw usage(`Give one action: ${[...actions, 'move'].map((name) => `svc store ${name}`).join(' or ')}`);
  if (action === 'release' && !isUuid(argument)) throw usage('release needs the id of a store');
  if (action === 'broadcast' && argument !== 'on' && argument !== 'off')
    throw usage('broadcast needs on or off');
  if (withFile.includes(action) && argument === '') throw usage(`${action} needs a file, or -`);
  const reason = reasonIn(values.reason, usage) ?? '';
  if (withoutReason.includes(action) && values.reason !== undefined)
    throw usage(`${action} takes no --reason`);
  if (needsReason.includes(action) && reason === '') throw usage(`${action} needs --reason TEXT`);
  const how = { hasMoved: values.moved === true, isForced: values.force === true };
  if (action !== 'adopt' && how.hasMoved) throw usage('--moved is an option of adopt');
  if (action !== 'adopt' && action !== 'rotate-master' && how.isForced)
    throw usage('--force is an option of adopt and rotate-master');
  if (!withApp.includes(action) && values.app !== undefined)
    throw usage('--app is an option of rotate-master, export and import');
  const publish = values.publish === true;
  if (action !== 'import' && publish) throw usage('--publish is an option of import');
  return {
    action,
    argument,
    file: argument,
    reason,
    json: values.json === true,
    app: values.app,
    publish,
    ...how,
  };
}

const usage = usageOf('store');
