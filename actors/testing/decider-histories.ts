import type { Decider } from '../../contracts/decider.js';
import type { ReadRange, StoredEvent } from '../../contracts/event-store.js';
import type { Receptor } from '../../contracts/receptor.js';
import { Command, Event } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Int, Long, Uuid } from '../../contracts/scalars.js';
import type { Unit, UnitStore } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { collect } from '../../runtime/kit/collect.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { InMemoryKeptStates } from '../../runtime/testing/in-memory-kept-states.js';
import type { DeciderStatesOptions } from '../../runtime/deciders/decider-states.js';
import { LocalDispatcher } from '../commands/dispatcher.js';
import { accountHost } from './account-hosts.js';

class Moved extends Event {
  id!: Int;
  amount!: Int;
  /** Appended by something else than the decider, without its rules. */
  free?: boolean;
}
class Move extends Command {
  ledgerId!: Uuid;
  id!: Int;
  amount!: Int;
}

interface Ledger {
  readonly balance: Int;
  /** Of the last event: a state from the wrong events has another one. */
  readonly last: Long;
}

const commands = { Move };
const most = 6;

class Ledgers implements Decider<Ledger, Moved, typeof commands> {
  readonly name = 'ledger';
  readonly version = 1;
  readonly commands = commands;
  stream = ({ ledgerId }: Move): Uuid => ledgerId;
  initial = (): Ledger => ({ balance: 0, last: 0 });
  evolve = ({ balance }: Ledger, { payload, globalPosition }: StoredEvent<Moved>): Ledger => ({
    balance: balance + payload.amount,
    last: globalPosition,
  });
  decide = {
    Move: ({ id, amount }: Move, { balance, last }: Ledger) => {
      if (balance + amount < 0) throw new Problem('overdrawn', { status: 409 });
      if (balance + amount > most) throw new Problem('full', { status: 409 });
      return {
        events: amount === 0 ? [] : Moved.of({ id, amount }),
        result: answerOf(balance + amount, last),
      };
    },
  };
}

/** Its state needs nothing that only the commit knows: commands are decided before those ahead of them are committed. */
class PlainLedgers extends Ledgers {
  override evolve = ({ balance }: Ledger, { payload }: StoredEvent<Moved>): Ledger => ({
    balance: balance + payload.amount,
    last: 0,
  });
}

/** The same without a decider. */
const readingReceptor: Receptor<Move, string> = {
  retryOnConflict: 3,
  key: ({ ledgerId }) => ledgerId,
  handle: async (command, work) => {
    const rules = new PlainLedgers();
    const events = (await collect(work.read(command.ledgerId))) as StoredEvent<Moved>[];
    const { events: moved, result } = rules.decide.Move(
      command,
      events.reduce(rules.evolve, rules.initial()),
    );
    work.append(command.ledgerId, moved);
    return result;
  },
};

/** Who decides in a history. */
export type Deciding = 'a decider' | 'a decider that looks at positions' | 'a receptor with a key';

const rulesOf = (deciding: Deciding): Ledgers =>
  deciding === 'a decider that looks at positions' ? new Ledgers() : new PlainLedgers();

function hostOf(deciding: Deciding, store: UnitStore, options: DeciderStatesOptions): LocalDispatcher {
  if (deciding !== 'a receptor with a key') return accountHost(store, options, rulesOf(deciding)).dispatcher;
  const dispatcher = new LocalDispatcher({ store });
  dispatcher.register([{ command: Move, receptor: readingReceptor }]);
  return dispatcher;
}

const answerOf = (balance: number, last: number): string => `${balance} after ${last}`;

/** What a command must answer in this state. */
function expectedAnswer({ balance, last }: Ledger, amount: number): string {
  if (balance + amount < 0) return 'overdrawn';
  return balance + amount > most ? 'full' : answerOf(balance + amount, last);
}

type Random = (below: number) => number;

/** Repeatable: a failure is found again by its seed. */
function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A store in which everything takes its time, and some commits fail before or after they are stored. */
function slowStore(inner: InMemoryEventStore, random: Random): UnitStore {
  const slowness = 1 + random(8);
  const passes = async (times = 1) => {
    for (let steps = random(12) * times; steps > 0; steps--) await Promise.resolve();
  };
  const unavailable = () => new Problem('store-unavailable');
  return {
    upcasters: inner.upcasters,
    append: inner.append.bind(inner),
    readAll: inner.readAll.bind(inner),
    lastPosition: inner.lastPosition.bind(inner),
    async *read(streamId: Uuid, range?: ReadRange) {
      await passes();
      const events = await collect(inner.read(streamId, range));
      await passes();
      yield* events;
    },
    commit: async (unit: Unit, signal?: AbortSignal) => {
      await passes(slowness);
      if (random(20) === 0) throw unavailable();
      await inner.commit(unit, signal);
      await passes(slowness);
      if (random(20) === 0) throw unavailable();
    },
  };
}

interface Answered {
  readonly id: number;
  readonly amount: number;
  readonly ledger: Uuid;
  /** The length of the stream when the command was sent. */
  readonly from: number;
  /** And when it was answered. */
  to: number;
  answer: string;
}

/** One history of three hosts with caches of their own, which die and start again; returns what was wrong in it. */
async function runHistory(
  seed: number,
  deciding: Deciding,
): Promise<{ readonly faults: readonly string[]; readonly decided: number }> {
  const random = randomFrom(seed);
  const inner = new InMemoryEventStore();
  const store = slowStore(inner, random);
  const kept = new InMemoryKeptStates();
  const options = {
    kept,
    keptEvery: 3,
    freezes: false,
    limits: { maxStreams: 1 + random(2), maxCharacters: 10_000 },
  };
  const newHost = () => hostOf(deciding, store, options);
  const hosts = [newHost(), newHost(), newHost()];
  const ledgers = [newUuid(), newUuid()].slice(random(2));
  const answers: Answered[] = [];
  const waiting: Promise<void>[] = [];
  const count = 8 + random(16);
  for (let id = 0; id < count; id++) {
    const ledger = ledgers[random(ledgers.length)] ?? '';
    const amount = random(7) - 3;
    const host = random(hosts.length);
    // The one that died may still commit what is on its way.
    if (random(8) === 0) hosts[host] = newHost();
    if (random(6) === 0) await appendFreely(inner, ledger, id, amount);
    else
      waiting.push(
        send(hosts[host] ?? newHost(), { id, amount, ledger }, inner, answers, clientFrom(random)),
      );
    if (random(3) === 0) for (let steps = random(60); steps > 0; steps--) await Promise.resolve();
    if (random(30) === 0) kept.clear();
  }
  await Promise.all(waiting);
  return check(inner, rulesOf(deciding), ledgers, answers);
}

/** One of ten clients goes away at some time. */
function clientFrom(random: Random): AbortSignal {
  const controller = new AbortController();
  if (random(10) === 0)
    void (async () => {
      for (let steps = random(200); steps > 0; steps--) await Promise.resolve();
      controller.abort(new Problem('client-gone'));
    })();
  return controller.signal;
}

const appendFreely = (store: InMemoryEventStore, ledger: Uuid, id: number, amount: number) =>
  store.append(ledger, {
    messageId: newUuid(),
    messageType: 'Moved',
    payload: { id, amount, free: true },
    timestamp: new Date().toISOString(),
    v: 1,
  });

async function send(
  dispatcher: LocalDispatcher,
  { id, amount, ledger }: Pick<Answered, 'id' | 'amount' | 'ledger'>,
  store: InMemoryEventStore,
  answers: Answered[],
  client: AbortSignal,
): Promise<void> {
  const from = await store.lastPosition(ledger);
  const answered: Answered = { id, amount, ledger, from, to: from, answer: '' };
  answers.push(answered);
  answered.answer = await dispatcher
    .localInvoke<string>(Move.of({ ledgerId: ledger, id, amount }), client)
    .catch((error: unknown) => (error instanceof Problem ? error.code : String(error)));
  answered.to = await store.lastPosition(ledger);
}

/** Errors that decide nothing. */
const undecided = new Set(['store-unavailable', 'stream-conflict', 'client-gone']);

async function check(
  store: InMemoryEventStore,
  rules: Ledgers,
  ledgers: readonly Uuid[],
  answers: readonly Answered[],
) {
  const faults: string[] = [];
  for (const ledger of ledgers) {
    const events = (await collect(store.read(ledger))) as StoredEvent<Moved>[];
    // The true state at each length of the stream.
    const states = events.reduce(
      (list, event) => [...list, rules.evolve(list.at(-1) ?? rules.initial(), event)],
      [rules.initial()],
    );
    events.forEach(({ payload: { id, amount, free } }, index) => {
      if (free === true) return;
      const wanted = expectedAnswer(states[index] ?? rules.initial(), amount);
      const { answer } = answers.find((one) => one.id === id) ?? { answer: 'nothing' };
      if (answer !== wanted && !undecided.has(answer))
        faults.push(`event ${id}: ${answer}, should be ${wanted}`);
      if (answer === 'client-gone') faults.push(`event ${id} was stored without its client`);
      if (!wanted.includes('after')) faults.push(`event ${id} was stored, should be ${wanted}`);
    });
    for (const { id, amount, from, to, answer } of answers.filter((one) => one.ledger === ledger)) {
      if (undecided.has(answer) || events.some(({ payload }) => payload.id === id)) continue;
      const right = states.slice(from, to + 1).map((state) => expectedAnswer(state, amount));
      if (!right.includes(answer))
        faults.push(`command ${id}: ${answer}, should be one of ${right.join(', ')}`);
    }
  }
  return {
    faults,
    decided: answers.filter(({ answer }) => !undecided.has(answer)).length / (answers.length || 1),
  };
}

/** Runs histories with many seeds and returns the wrong decisions, with their seeds. */
export async function wrongDecisions(
  from: number,
  count: number,
  deciding: Deciding,
): Promise<{ readonly wrong: readonly string[]; readonly decided: number }> {
  const wrong: string[] = [];
  let decided = 0;
  for (let seed = from; seed < from + count; seed++) {
    const history = await runHistory(seed, deciding);
    wrong.push(...history.faults.map((fault) => `seed ${seed}: ${fault}`));
    decided += history.decided / count;
  }
  return { wrong, decided };
}
