import { addSystemEventAuditing } from '../../../actors/add-system-events-and-auditing.js';
import { dispatcherFor } from '../../../actors/commands/create-dispatcher.js';
import type { StoredEvent } from '../../../contracts/event-store.js';
import { Command, Event } from '../../../contracts/message.js';
import type { Receptor, UnitOfWork } from '../../../contracts/receptor.js';
import type { Long, Uuid } from '../../../contracts/scalars.js';
import type { StagedEvent } from '../../../contracts/unit-store.js';
import { newUuid } from '../../../contracts/uuid.js';
import { connect } from '../../../runtime/database/connect.js';
import { openDatabase } from '../../../runtime/database/database.js';
import { migrate } from '../../../runtime/migrations/migrate.js';
import { eventStore } from '../../../runtime/service/register-event-store.js';
import { addService } from '../../../runtime/service/service.js';
import { openPostgresStore, type PostgresStore } from '../../../runtime/store/postgres-event-store.js';
import { collect } from '../../../runtime/kit/collect.js';
import { type Bank, type Way, opening } from './bank.js';

class Transfer extends Command {
  declare payer: Uuid;
  declare payee: Uuid;
  declare amount: number;
}
/** `balance`: of the account, after the event. */
class AccountOpened extends Event {
  declare balance: number;
}
class MoneyMoved extends Event {
  declare amount: number;
  declare balance: number;
}

const withoutKey = 'ours, no key';
const payerKey = 'ours, key of the payer';
export const bothKeys = 'ours, keys of both';
export const oneKey = 'ours, one key for all';

const keys: Readonly<Record<string, Receptor<Transfer, void>['key']>> = {
  [withoutKey]: undefined,
  [payerKey]: ({ payer }) => payer,
  [bothKeys]: ({ payer, payee }) => [payer, payee],
  [oneKey]: () => 'all',
};

/** An account is a stream. Events and commands are audited, as in a host; each way has a dispatcher of its own. */
export async function openOurBank(url: string, accounts: readonly Uuid[]): Promise<Bank> {
  const { role } = await migrate({ ownerUrl: url, runtimeUser: new URL(url).username });
  const database = openDatabase({ url, ...(role === undefined ? {} : { role }) });
  const store = openPostgresStore(database, { host: 'bench' });
  await openAccounts(store, accounts);
  const service = addService()
    .with(eventStore(store))
    .with(addSystemEventAuditing((options) => options.enableAudit()));
  const positions = new Map<Uuid, Long>();
  const ways = Object.entries(keys).map(([name, key]): Way => {
    const dispatcher = dispatcherFor(service, { store, report: () => undefined });
    let tries = 0;
    const receptor = transferring(positions, () => tries++);
    dispatcher.register([
      { command: Transfer, receptor: key === undefined ? receptor : { ...receptor, key } },
    ]);
    const transfer = (payer: Uuid, payee: Uuid) =>
      dispatcher.localInvoke(Transfer.of({ payer, payee, amount: 1 }));
    return { name, transfer, tries: () => tries };
  });
  return {
    ways,
    total: () => totalIn(url),
    close: async () => {
      await store.close();
      await database.close();
    },
  };
}

/** Reads each account from its last event that is known to be stored. */
const transferring = (positions: Map<Uuid, Long>, count: () => void): Receptor<Transfer, void> => {
  const balanceOf = async (account: Uuid, work: UnitOfWork): Promise<number> => {
    const events = await collect(work.read(account, { from: positions.get(account) ?? 1 }));
    const last = events.at(-1) as StoredEvent<AccountOpened | MoneyMoved> | undefined;
    return last?.payload.balance ?? 0;
  };
  return {
    retryOnConflict: 3,
    handle: async ({ payer, payee, amount }, work) => {
      count();
      const [paying, paid] = await Promise.all([balanceOf(payer, work), balanceOf(payee, work)]);
      const staged = [
        ...work.append(payer, MoneyMoved.of({ amount: -amount, balance: paying - amount })),
        ...work.append(payee, MoneyMoved.of({ amount, balance: paid + amount })),
      ];
      work.defer(() => {
        for (const { streamId, position = 1 } of staged) positions.set(streamId, position);
      });
    },
  };
};

const perUnit = 500;

async function openAccounts(store: PostgresStore, accounts: readonly Uuid[]): Promise<void> {
  for (let at = 0; at < accounts.length; at += perUnit) {
    const events = accounts.slice(at, at + perUnit).map(opened);
    await store.commit({ events, records: [], expected: new Map() });
  }
}

const opened = (streamId: Uuid): StagedEvent => ({
  streamId,
  envelope: {
    messageId: newUuid(),
    messageType: AccountOpened.name,
    payload: AccountOpened.of({ balance: opening }),
    timestamp: new Date().toISOString(),
    v: 1,
  },
});

/** The last balances: an amount that was decided on an old balance is missing in them. */
async function totalIn(url: string): Promise<number> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<{ total: string }>(
      `SELECT sum(balance) AS total FROM (
        SELECT DISTINCT ON (stream_id) (data->>'balance')::bigint AS balance FROM svc_events
        ORDER BY stream_id, stream_position DESC) last`,
    );
    return Number(rows[0]?.total);
  } finally {
    await client.end();
  }
}
