import type { Database } from '../../runtime/database/database.js';
import { acceptLoss, readStoreStatus, type StoreStatus } from '../../runtime/store/store-status.js';
import { withDatabaseOf } from '../cli-database.js';
import { recordCliAction } from '../cli-operator.js';
import { type Config, readConfig } from '../config.js';
import { printToStdout } from '../print.js';
import type { Verb } from '../verb.js';
import { argumentsOf, reasonIn, usageOf } from './arguments.js';

export const store: Verb = {
  help: `
svc store status
svc store accept-loss --reason TEXT

status shows the store: its id, its epoch and the timeline of its server, the last position of its log, its standbys, and
what it has lost. An epoch begins when a standby is promoted or a disk is set back.
With SVC_DURABILITY=sync nothing is written to a store that lacks acknowledged events; accept-loss gives them up, and hosts
write again. The system stream records StoreWentBack, and who accepted it and why: SVC_ACTOR, or the user of the operating
system. The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).

  --reason TEXT  why; required by accept-loss
  --json         prints JSON

  svc store accept-loss --reason "the disk of db-a cannot be read"`,
  run: async (args) => {
    const { action, reason, json } = parse(args);
    const config = readConfig();
    await withDatabaseOf(config, async (database) => {
      if (action === 'status') print(await statusOf(database, config), json, statusText);
      else print(await accept(database, config, reason), json, acceptedText);
    });
  },
};

type ShownStatus = StoreStatus & { readonly durability: string };

const statusOf = async (database: Database, { durability = 'local' }: Config): Promise<ShownStatus> => ({
  durability,
  ...(await readStoreStatus(database)),
});

type Accepted = Awaited<ReturnType<typeof acceptLoss>>;

async function accept(database: Database, config: Config, reason: string): Promise<Accepted> {
  const accepted = await acceptLoss(database);
  for (const { epoch, fork, lostTo } of accepted) {
    const target = `epoch ${epoch}: ${fork + 1}-${lostTo}`;
    await recordCliAction(database, config, { action: 'store accept-loss', target, reason });
  }
  return accepted;
}

function print<T>(result: T, json: boolean, textOf: (result: T) => string): void {
  printToStdout(`${json ? JSON.stringify(result) : textOf(result)}\n`);
}

function statusText(status: ShownStatus): string {
  const { id, epoch, timeline, head, durability, replication, losses } = status;
  const { standbys, hasSynchronousStandby } = replication;
  const lines = [
    ['store', id],
    ['epoch', `${epoch}, timeline ${timeline}`],
    ['head', String(head)],
    ['durability', durability],
    ['standbys', `${standbys}, commits ${hasSynchronousStandby ? 'wait for one' : 'do not wait'}`],
    ['lost', losses.length === 0 ? 'nothing known' : losses.map(lossText).join('; ')],
  ];
  return lines.map(([name = '', text = '']) => `${name.padEnd(12)}${text}`).join('\n');
}

const lossText = ({ epoch, fork, lostTo, witness, isAccepted }: StoreStatus['losses'][number]): string =>
  `${fork + 1}-${lostTo} (epoch ${epoch}, seen by ${witness ?? 'nobody'}${isAccepted ? '' : ', not accepted: nothing is written'})`;

const acceptedText = (accepted: Accepted): string =>
  accepted
    .map(
      ({ epoch, fork, lostTo }) => `Positions ${fork + 1} to ${lostTo} are given up; epoch ${epoch} goes on.`,
    )
    .join('\n');

const actions = ['status', 'accept-loss'] as const;

function parse(args: readonly string[]) {
  const options = { reason: { type: 'string' }, json: { type: 'boolean' } } as const;
  const { values, positionals } = argumentsOf(args, options, usage);
  const action = actions.find((name) => name === positionals[0]);
  if (action === undefined || positionals.length > 1)
    throw usage(`Give one action: ${actions.map((name) => `svc store ${name}`).join(' or ')}`);
  const reason = reasonIn(values.reason, usage) ?? '';
  if (action === 'status' && values.reason !== undefined) throw usage('status takes no --reason');
  if (action !== 'status' && reason === '') throw usage(`${action} needs --reason TEXT`);
  return { action, reason, json: values.json === true };
}

const usage = usageOf('store');
