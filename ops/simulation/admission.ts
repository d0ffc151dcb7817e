import { setTimeout as pause } from 'node:timers/promises';
import { LocalDispatcher } from '../../actors/commands/dispatcher.js';
import { Command } from '../../contracts/message.js';
import type { PerspectiveScope } from '../../contracts/perspective-scope.js';
import { Problem } from '../../contracts/problems.js';
import { Admission } from '../../endpoints/http/admission.js';
import { allowedWaitMs } from '../../endpoints/http/load-estimate.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { RequestContext } from '../../runtime/request/request-context.js';
import { type EngineRun, Findings } from './engine-run.js';
import type { SimulatedTime } from './simulated-time.js';

class Work extends Command {
  declare n: number;
  declare key: string | undefined;
}

const requests = 90;
const withinMs = 180;
const commands = 80;
const limits = { concurrency: 5, mailbox: 20 };
const settleMs = 600_000;
const deadlineMs = 30_000;
/** The tenant that sends most. */
const loud = 'loud';
const others = ['quiet', 'rare'];

/** What lets requests in, and what lets commands run: the queue in front of a busy loop, and the slots of a handler. */
export async function admission(time: SimulatedTime): Promise<EngineRun> {
  const found = new Findings();
  const queue = new QueueWorld(time, found);
  const slots = new SlotsWorld(time, found);
  for (let n = 0; n < requests; n++) time.after(time.between(0, withinMs), () => queue.ask());
  for (let n = 0; n < commands; n++) time.after(time.between(0, withinMs), () => slots.ask(n));
  const isEnd = (): boolean => queue.settled === requests && slots.settled === commands;
  const isDone = await time.until(isEnd, settleMs, () => slots.check());
  found.must(
    isDone,
    `${queue.settled} of ${requests} requests and ${slots.settled} of ${commands} commands ended`,
  );
  queue.checkAll();
  return { found: found.all, work: requests + commands, faults: slots.left };
}

/** Requests in front of a loop that each of them keeps busy. */
class QueueWorld {
  settled = 0;
  readonly #admission: Admission;
  readonly #isCrowded: boolean;
  readonly #heaviness: number;
  #lastServed = -1;
  #asked = 0;

  constructor(
    private readonly time: SimulatedTime,
    private readonly found: Findings,
  ) {
    this.#isCrowded = time.chance(0.5);
    this.#heaviness = time.between(0.5, 8);
    this.#admission = new Admission(
      () => this.#isCrowded,
      () => time.now,
    );
  }

  ask(): void {
    const { time, found } = this;
    const [number, since] = [this.#asked++, time.now];
    let isSettled = false;
    const settle = (): void => {
      found.must(!isSettled, 'a request was answered twice');
      found.must(number > this.#lastServed, 'a request was called before one that had waited longer');
      [isSettled, this.#lastServed] = [true, number];
      this.settled++;
    };
    this.#admission.take({
      serve: () => {
        settle();
        const waitedMs = time.now - since;
        found.must(!this.#isCrowded || waitedMs <= allowedWaitMs, 'a request of a crowd was served too late');
        time.spend(time.between(0, this.#heaviness));
      },
      refuse: () => {
        settle();
        found.must(this.#isCrowded, 'a request was refused although there was no crowd');
        time.spend(0.1);
      },
    });
    if (time.chance(0.1)) this.#admission.accepted();
  }

  checkAll(): void {
    this.found.must(this.#admission.size === 0, 'requests wait, and none is called');
  }
}

/** Commands of three tenants, of which one sends most, with keys, nested ones and clients that go. */
class SlotsWorld {
  settled = 0;
  /** Commands whose client has gone. */
  left = 0;
  readonly #dispatcher: LocalDispatcher;
  /** The keys of those that run. */
  readonly #running = new Map<number, string>();
  readonly #asked = new Map<number, { readonly tenantId: string; readonly lastTurn: number }>();
  #loudStarts = 0;

  constructor(
    private readonly time: SimulatedTime,
    private readonly found: Findings,
  ) {
    this.#dispatcher = new LocalDispatcher({ store: new InMemoryEventStore(), deadlineMs });
    this.#dispatcher.register([
      {
        command: Work,
        receptor: {
          ...limits,
          key: ({ key, n }: Work) => key ?? `own ${n}`,
          handle: (command: Work, { signal }) => this.#handle(command, signal),
        },
      },
    ]);
  }

  ask(n: number): void {
    const { time, found } = this;
    const tenantId = time.chance(0.8) ? loud : (others[time.below(others.length)] ?? loud);
    const client = new AbortController();
    if (time.chance(0.1))
      time.after(time.between(0, 500), () => {
        this.left++;
        client.abort(new Problem('client-gone'));
      });
    const cancellation = Cancellation.of(client.signal, deadlineMs);
    const context = new RequestContext({ transport: 'local', cancellation, scope: scopeOf(tenantId) });
    const key = time.chance(0.3) ? `key-${time.below(4)}` : undefined;
    const mostTurns = 2 * (this.#waitingOf(tenantId) + 1) + limits.concurrency;
    this.#asked.set(n, { tenantId, lastTurn: this.#loudStarts + mostTurns });
    const sent = this.#dispatcher.localInvoke(Work.of({ n, key }), undefined, context);
    const waiting = this.#dispatcher.loads[0]?.waiting ?? 0;
    found.must(waiting <= limits.mailbox, `more than ${limits.mailbox} commands waited`);
    void sent
      .catch((error: unknown) => this.#refused(tenantId, error))
      .finally(() => {
        cancellation.end();
        this.settled++;
      });
  }

  /** One that was given up ends in the same moment in which the next one starts. */
  check(): void {
    const { concurrency } = limits;
    this.found.must(this.#running.size <= concurrency, `more than ${concurrency} commands ran at once`);
    const keys = new Set(this.#running.values());
    this.found.must(keys.size === this.#running.size, 'two commands of a key ran at once');
  }

  #refused(tenantId: string, error: unknown): void {
    const code = error instanceof Problem ? error.code : String(error);
    this.found.must(['overloaded', 'client-gone'].includes(code), `a command was refused as ${code}`);
    const most = Math.max(...[loud, ...others].map((tenant) => this.#waitingOf(tenant)));
    const gaveWay = code !== 'overloaded' || this.#waitingOf(tenantId) + 1 >= most;
    this.found.must(gaveWay, 'a tenant was refused although another one has more that waits');
  }

  #waitingOf(tenantId: string): number {
    const [load] = this.#dispatcher.loads;
    return load?.byTenant.find(({ tenant }) => tenant === tenantId)?.waiting ?? 0;
  }

  async #handle({ n, key }: Work, signal: AbortSignal): Promise<void> {
    const { time, found } = this;
    const { tenantId = loud, lastTurn = Infinity } = this.#asked.get(n) ?? {};
    if (tenantId === loud) this.#loudStarts++;
    else
      found.must(
        key !== undefined || this.#loudStarts <= lastTurn,
        'a tenant waited for too many of another one',
      );
    this.#running.set(n, key ?? `own ${n}`);
    await pause(time.between(1, 60), undefined, { signal }).catch(() => undefined);
    this.#running.delete(n);
  }
}

const scopeOf = (tenantId: string): PerspectiveScope => ({ tenantId, allowedPrincipals: [], extensions: {} });
