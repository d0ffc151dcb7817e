import { LocalDispatcher } from '../../../actors/commands/dispatcher.js';
import { accountHost } from '../../../actors/testing/account-hosts.js';
import { Problem } from '../../../contracts/problems.js';
import type { Receptor } from '../../../contracts/receptor.js';
import type { Uuid } from '../../../contracts/scalars.js';
import type { UnitStore } from '../../../contracts/unit-store.js';
import { newUuid } from '../../../contracts/uuid.js';
import { Book, Booked } from '../../../runtime/testing/account-decider.js';
import { collect } from '../../../runtime/kit/collect.js';
import type { Section } from '../harness/report.js';
import { type Figures, interleave } from '../harness/rounds.js';
import type { SuiteRun } from '../harness/suite.js';

const writers = 64;
const defaultSeconds = 3;

type Send = (account: Uuid) => Promise<unknown>;

/** Reads its stream for every command, as receptors do that keep no state. */
const reading: Receptor<Book, number> = {
  retryOnConflict: 3,
  handle: async ({ accountId, amount }, work) => {
    const events = await collect(work.read(accountId));
    work.append(accountId, Booked.of({ amount }));
    return events.length;
  },
};

function receptorHost(store: UnitStore, receptor: Receptor<Book, number>): Send {
  const dispatcher = new LocalDispatcher({ store });
  dispatcher.register([{ command: Book, receptor }]);
  return (accountId) => dispatcher.localInvoke(Book.of({ accountId, amount: 1 }));
}

function deciderHost(store: UnitStore): Send {
  const { book } = accountHost(store, { freezes: false });
  return (accountId) => book(accountId, 1);
}

/** As many commands on one stream as get through, sent by 64 callers at once. */
export async function writersSection(stores: readonly UnitStore[], run: SuiteRun): Promise<Section> {
  const [one] = stores;
  if (one === undefined) throw new Problem('invalid-setup', { detail: 'The bench needs a store.' });
  const seconds = run.seconds ?? defaultSeconds;
  const key = ({ accountId }: Book) => accountId;
  const variants = {
    'without a key': [receptorHost(one, reading)],
    'with a key': [receptorHost(one, { ...reading, key })],
    'a decider': [deciderHost(one)],
    'a decider, two hosts': stores.map(deciderHost),
  };
  const rounds = await interleave(
    Object.entries(variants).map(([name, hosts]) => ({ name, measure: () => measure(hosts, seconds) })),
    run.rounds,
    run.signal,
  );
  return {
    title: `deciders: ${writers} writers on one stream`,
    figures: ['commands/s', 'refused'],
    baseline: 'without a key',
    rounds,
    targets: ['with a key', 'a decider'].map((of) => ({
      figure: 'commands/s',
      of,
      against: 'without a key',
      atLeast: 20,
    })),
    missing: [],
  };
}

/** `refused`: the share of commands that ended with a conflict. */
async function measure(hosts: readonly Send[], seconds: number): Promise<Figures> {
  const account = newUuid();
  const until = performance.now() + seconds * 1000;
  let done = 0;
  let refused = 0;
  await Promise.all(
    Array.from({ length: writers }, async (_, n) => {
      const send = hosts[n % hosts.length];
      while (performance.now() < until)
        await send?.(account).then(
          () => done++,
          () => refused++,
        );
    }),
  );
  return { 'commands/s': done / seconds, refused: refused / (done + refused) };
}
