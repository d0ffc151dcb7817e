import { LocalDispatcher } from '../../actors/commands/dispatcher.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, Event } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { UnitOfWork } from '../../contracts/receptor.js';
import type { Unit } from '../../contracts/unit-store.js';
import type { Uuid } from '../../contracts/scalars.js';
import { collect } from '../../runtime/kit/collect.js';
import { thrownMessage } from '../../runtime/lang/thrown.js';
import { namedUuid } from '../../runtime/lang/named-uuid.js';
import { type EngineRun, Findings } from './engine-run.js';
import { fair, SimulatedLink } from './simulated-link.js';
import { SimulatedStore } from './simulated-store.js';
import type { SimulatedTime } from './simulated-time.js';

class Book extends Command {
  declare n: number;
  declare account: Uuid;
  declare amount: number;
}
class Booked extends Event {
  declare n: number;
  declare amount: number;
}

/** What a client asked for. */
interface Asked {
  readonly account: Uuid;
  readonly amount: number;
  readonly since: number;
}

/** What an account held since a time. */
interface Balance {
  readonly at: number;
  readonly sum: number;
}

const accounts = 3;
const commands = 40;
const sentWithinMs = 1_000;
const deadlineMs = 6_000;
/** A client that has gone, or whose deadline is over, may wait this much longer to learn that the outcome is unknown. */
const answeredWithinMs = 60_000;

/** Commands with a key, on two hosts that book on the same accounts, with clients that go. */
export async function keyLines(time: SimulatedTime): Promise<EngineRun> {
  const world = new BankWorld(time);
  for (let n = 0; n < commands; n++) time.on(undefined, time.between(0, sentWithinMs), () => world.send(n));
  await time.until(() => world.answered === commands, sentWithinMs + 2 * deadlineMs);
  world.link.weather = fair;
  const areAnswered = await time.until(() => world.answered === commands, answeredWithinMs);
  world.found.must(areAnswered, `only ${world.answered} of ${commands} commands were answered`);
  await time.until(() => false, deadlineMs);
  world.checkAll();
  return { found: world.found.all, work: world.answered, faults: world.link.faults };
}

class BankWorld {
  readonly found = new Findings();
  readonly link: SimulatedLink;
  answered = 0;
  readonly #dispatchers: readonly LocalDispatcher[];
  readonly #balances = new Map<Uuid, Balance[]>();
  /** What the accounts held after each command. */
  readonly #booked = new Map<number, number>();
  readonly #acknowledged = new Map<number, number>();

  constructor(private readonly time: SimulatedTime) {
    this.link = new SimulatedLink(time);
    const store = new SimulatedStore(time, this.link, (unit) => this.#check(unit));
    this.#dispatchers = [0, 1].map(() => {
      const dispatcher = new LocalDispatcher({ store: store.units, deadlineMs });
      dispatcher.register([
        {
          command: Book,
          receptor: {
            key: ({ account }: Book) => account,
            retryOnConflict: 20,
            handle: (command: Book, work) => this.#book(command, work),
          },
        },
      ]);
      return dispatcher;
    });
  }

  send(n: number): void {
    const { time } = this;
    const account = namedUuid('account', String(time.below(accounts)));
    const amount = time.chance(0.5) ? time.below(100) : -time.below(120);
    const asked: Asked = { account, amount, since: time.now };
    const client = new AbortController();
    if (time.chance(0.15)) time.after(time.between(0, 200), () => client.abort(new Problem('client-gone')));
    // Most come to one host, so that they queue there.
    const dispatcher = this.#dispatchers[time.chance(0.85) ? 0 : 1];
    const sent = dispatcher?.localInvoke<number>(Book.of({ n, account, amount }), client.signal);
    void sent
      ?.then(
        (sum) => this.#acknowledged.set(n, sum),
        (error: unknown) => this.#refused(n, asked, error),
      )
      .finally(() => this.answered++);
  }

  /** After all that was on its way has happened. */
  checkAll(): void {
    for (const [n, sum] of this.#acknowledged)
      this.found.must(this.#booked.get(n) === sum, `command ${n} was answered with what is not stored`);
  }

  async #book({ n, account, amount }: Book, work: UnitOfWork): Promise<number> {
    const sum = balanceOf(await collect(work.read(account)));
    if (sum + amount < 0) throw new Problem('overdrawn', { status: 409 });
    work.append(account, Booked.of({ n, amount }));
    return sum + amount;
  }

  #check({ events }: Unit): void {
    for (const { streamId, envelope } of events) {
      const { n, amount } = envelope.payload as Booked;
      const known = this.#balances.get(streamId) ?? [{ at: 0, sum: 0 }];
      const sum = (known.at(-1)?.sum ?? 0) + amount;
      this.found.must(sum >= 0, 'an account is overdrawn');
      this.found.must(!this.#booked.has(n), `command ${n} was stored twice`);
      this.#booked.set(n, sum);
      this.#balances.set(streamId, [...known, { at: this.time.now, sum }]);
    }
  }

  #refused(n: number, { account, amount, since }: Asked, error: unknown): void {
    const code = error instanceof Problem ? error.code : thrownMessage(error);
    this.found.must(expected.has(code), `a command was refused as ${code}`);
    if (code !== 'outcome-unknown')
      this.found.must(!this.#booked.has(n), `command ${n} was refused and is stored`);
    if (code !== 'overdrawn') return;
    const known = this.#balances.get(account) ?? [{ at: 0, sum: 0 }];
    const isTrue = known.some(
      ({ sum }, index) => sum + amount < 0 && (known[index + 1]?.at ?? Infinity) >= since,
    );
    this.found.must(isTrue, 'a refusal was true of no state that was committed');
  }
}

const expected: ReadonlySet<string> = new Set([
  ...[
    'overdrawn',
    'outcome-unknown',
    'store-unavailable',
    'client-gone',
    'deadline-exceeded',
    'stream-conflict',
  ],
]);

const balanceOf = (events: readonly StoredEvent[]): number =>
  events.reduce((sum, { payload }) => sum + (payload as Booked).amount, 0);
