import { setTimeout as pause } from 'node:timers/promises';
import { LocalDispatcher } from '../../actors/commands/dispatcher.js';
import { effectReceptors } from '../../actors/commands/effect-receptor.js';
import { EffectFigures } from '../../actors/due/effect-figures.js';
import { EffectWork } from '../../actors/due/effect-work.js';
import { type Fire, fireTimer } from '../../actors/due/fire-timer.js';
import { RunningTimers } from '../../actors/due/running-timers.js';
import { timerDefaults } from '../../actors/due/timer-runner.js';
import { BlockingCode } from '../../actors/steps/blocking-code.js';
import type { EffectCall } from '../../contracts/effect.js';
import { EffectDropped } from '../../contracts/events/effect.js';
import type { Command } from '../../contracts/message.js';
import type { UnitOfWork } from '../../contracts/receptor.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { SetTimer } from '../../contracts/unit-lists.js';
import { type KnownEffect, knownEffect } from '../../runtime/effects/known-effect.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { namedUuid } from '../../runtime/lang/named-uuid.js';
import { RequestContext } from '../../runtime/request/request-context.js';
import { StagedStep } from '../../runtime/unit/staged-step.js';
import { done, DueLedger, laneOf, Pay, Print, Remind, reminded } from './due-ledger.js';
import { type EngineRun, Findings } from './engine-run.js';
import { type StartedHost, SimulatedHosts } from './simulated-hosts.js';
import { fair, SimulatedLink } from './simulated-link.js';
import { SimulatedStore } from './simulated-store.js';
import type { SimulatedTime } from './simulated-time.js';

const things = 14;
const askedWithinMs = 3_000;
const troubledMs = 5_000;
const settleMs = 900_000;
const afterwardsMs = 4_000;
const atOnce = { timers: 4, payments: 2 };
const stream = namedUuid('stream', 'done');

/** Nothing is sealed or sensitive. */
const plainEffects = {
  sealing: undefined,
  committed: () => undefined,
  isSensitive: () => false,
  secretsIn: () => undefined,
  figuresOf: () => new EffectFigures(),
};

/** Timers and effects on a few hosts: leases, claims, lanes and lines, while hosts are killed and frozen. */
export async function dueWork(time: SimulatedTime): Promise<EngineRun> {
  const world = new DueWorld(time);
  const { hosts, link, found, ledger } = world;
  hosts.start(1 + time.below(2));
  hosts.trouble(troubledMs);
  for (let n = 0; n < things; n++) time.on(undefined, time.between(0, askedWithinMs), () => world.ask(n));
  await time.until(() => false, troubledMs);
  link.weather = fair;
  const isDone = await time.until(() => ledger.waiting === 0, settleMs);
  found.must(isDone, `${ledger.left.join()} were not done within 15 minutes`);
  await time.until(() => false, afterwardsMs);
  return { found: found.all, work: things, faults: link.faults + hosts.faults };
}

class DueWorld {
  readonly found = new Findings();
  readonly ledger = new DueLedger(this.found);
  readonly link: SimulatedLink;
  readonly hosts: SimulatedHosts;
  readonly #store: SimulatedStore;
  /** How often each of them fails before it succeeds. */
  readonly #failuresLeft = new Map<number, number>();
  readonly #ids = new Map<Uuid, number>();
  /** Where clients ask: the store itself. */
  readonly #client: LocalDispatcher;

  constructor(private readonly time: SimulatedTime) {
    this.link = new SimulatedLink(time);
    this.#store = new SimulatedStore(time, this.link, (unit) => this.ledger.committed(unit));
    this.hosts = new SimulatedHosts(time, (host) => this.#begin(host));
    const { memory, commit, units } = this.#store;
    this.#client = this.#dispatcherOn({ ...units, commit, read: memory.read.bind(memory) }, () =>
      Promise.resolve(),
    );
  }

  /** A timer, or a request of an effect; some are cancelled. */
  ask(n: number): void {
    const { time, ledger } = this;
    const id = namedUuid('due', String(n));
    this.#ids.set(id, n);
    this.#failuresLeft.set(n, time.chance(0.15) ? 1 + time.below(3) : 0);
    const kind = time.below(4);
    ledger.asked(n, kind > 1);
    if (kind === 0) this.#setTimer(n, id);
    else
      void this.#client.localInvoke(kind === 1 ? Print.of({ n }) : Pay.of({ n }), undefined, contextOf(id));
    if (time.chance(0.15))
      time.after(time.between(0, 3_000), () => {
        const cancel = new StagedStep().unit({ ended: [{ id }] });
        void this.#store.commit(cancel).then(() => ledger.cancelled(n));
      });
  }

  #setTimer(n: number, id: Uuid): void {
    const timer: SetTimer = {
      id,
      kind: 'command',
      name: 'remind',
      key: '',
      again: 'replace',
      data: { n },
      context: {},
      due: { inMs: Math.floor(this.time.between(0, 3_000)) },
    };
    void this.#store.commit(new StagedStep().unit({ timers: [timer] }));
  }

  #begin(host: StartedHost): void {
    const { time } = this;
    const store = this.#store;
    const running = { timers: 0, payments: 0 };
    const busy = async (kind: keyof typeof running, n: number, signal: AbortSignal): Promise<void> => {
      const most = atOnce[kind];
      this.found.must(++running[kind] <= most, `more than ${most} ${kind} ran on a host at the same time`);
      await this.#takesTime(n, signal).finally(() => running[kind]--);
    };
    const remind = (n: number, signal: AbortSignal): Promise<void> => busy('timers', n, signal);
    const dispatcher = this.#dispatcherOn(store.units, remind);
    const effects = {
      effects: store.effectsOf(host),
      known: this.#effectsFor((n, signal) => busy('payments', n, signal)),
      code: new BlockingCode(undefined, { now: () => time.now, usedMs: () => 0 }),
      ...plainEffects,
    };
    const shared = {
      dispatcher,
      recordOf: this.#recordOf,
      deadlineMs: 30_000,
      store: store.units,
      isBusy: () => time.chance(0.02),
    };
    const timers = new RunningTimers(
      {
        ...shared,
        store: store.reactions,
        fire: (timer) =>
          fireTimer(timer, {
            ...shared,
            reactions: store.reactions,
            fire: { command: fire, process: fire, schedule: fire },
          }),
        leases: store.leasesOf(host),
        setSchedules: () => Promise.resolve(),
        tryParkedAgain: () => Promise.resolve(),
        others: ({ parts, wake }) => new EffectWork({ ...shared, ...effects, parts, wake }),
      },
      { ...timerDefaults, most: atOnce.timers },
    );
    timers.start();
  }

  readonly #recordOf = (message: SystemMessage): undefined => {
    if (message instanceof EffectDropped) this.ledger.dropped(this.#ids.get(message.requestId) ?? -1);
    return undefined;
  };

  #effectsFor(pay: (n: number, signal: AbortSignal) => Promise<void>): ReadonlyMap<string, KnownEffect> {
    const common = { stream: () => stream, retries: { attempts: 100, first: 'PT0.5S', most: 'PT20S' } };
    const printer = {
      ...common,
      name: 'printer',
      call: async ({ n }: Print, { signal }: EffectCall) => {
        await this.#takesTime(n, signal);
        return done(n);
      },
    };
    const bank = {
      ...common,
      name: 'bank',
      concurrency: atOnce.payments,
      perLane: 1,
      lane: ({ n }: Pay) => laneOf(n),
      call: async ({ n }: Pay, { signal }: EffectCall) => {
        this.ledger.called(n);
        await pay(n, signal);
        return done(n);
      },
    };
    return new Map([
      ['printer', knownEffect({ command: Print, effect: printer })],
      ['bank', knownEffect({ command: Pay, effect: bank })],
    ]);
  }

  #dispatcherOn(
    store: SimulatedStore['units'],
    remind: (n: number, signal: AbortSignal) => Promise<void>,
  ): LocalDispatcher {
    const effects = [...this.#effectsFor(() => Promise.resolve()).values()];
    const effectOf = (command: Command): KnownEffect | undefined =>
      effects.find((known) => command instanceof known.command);
    const dispatcher = new LocalDispatcher({ store, staging: { effectOf }, deadlineMs: 30_000 });
    const handle = async ({ n }: Remind, work: UnitOfWork): Promise<void> => {
      await remind(n, work.signal);
      work.append(stream, reminded(n), { expectedPosition: 'any' });
    };
    dispatcher.register([{ command: Remind, receptor: { handle } }, ...effectReceptors(effects)]);
    return dispatcher;
  }

  async #takesTime(n: number, signal: AbortSignal): Promise<void> {
    const { time } = this;
    const heeds = time.chance(0.8) ? { signal } : {};
    await pause(time.chance(0.1) ? time.between(500, 6_000) : time.between(1, 200), undefined, heeds);
    const left = this.#failuresLeft.get(n) ?? 0;
    this.#failuresLeft.set(n, left - 1);
    if (left > 0) throw new TypeError('not now');
  }
}

const fire: Fire = async ({ data }, stage) => {
  await stage(Remind.of(data as { n: number }));
  return {};
};

const contextOf = (messageId: Uuid): RequestContext =>
  new RequestContext({ transport: 'local', messageId, cancellation: Cancellation.of(undefined) });
