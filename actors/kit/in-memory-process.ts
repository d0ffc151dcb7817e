import type { StoredEvent } from '../../contracts/event-store.js';
import type { Command, Event, MessageClass, SystemEvent } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { StoredProcess, StoredTimer } from '../../contracts/reaction-store.js';
import type { Json, Timestamp, Uuid } from '../../contracts/scalars.js';
import type { SetTimer, TimerKind } from '../../contracts/unit-lists.js';
import { outcomeTimer } from '../../runtime/effects/invoked.js';
import { type KnownEffect, knownEffect } from '../../runtime/effects/known-effect.js';
import { keyOf } from '../processes/check-process.js';
import type { Process } from '../processes/process.js';
import { processStep, type StepInput, type StepLists, type StepOutcome } from '../processes/process-step.js';

/** Which commands receptors refuse. */
type Refusing = (command: Command) => Problem | undefined;

/** A process with rows, timers and time of its own. Between two steps everything is JSON text, as in the database. */
export class InMemoryProcess {
  readonly sent: Command[] = [];
  /** What it invoked, as it is stored. */
  readonly asked: Json[] = [];
  readonly records: SystemEvent[] = [];
  readonly outcomes: StepOutcome[] = [];
  readonly #rows = new Map<string, string>();
  readonly #timers = new Map<Uuid, string>();
  /** Requests that have no outcome yet. */
  readonly #requests = new Map<Uuid, string>();

  constructor(
    private readonly process: Process,
    private readonly refusing: Refusing = () => undefined,
    /** Milliseconds since 1970. */
    private now = 0,
  ) {}

  /** The same rows and timers with another version of the process. */
  deploy(process: Process): InMemoryProcess {
    const next = new InMemoryProcess(process, this.refusing, this.now);
    for (const [key, row] of this.#rows) next.#rows.set(key, row);
    for (const [id, timer] of this.#timers) next.#timers.set(id, timer);
    for (const [id, request] of this.#requests) next.#requests.set(id, request);
    return next;
  }

  row(key: string): StoredProcess | undefined {
    const text = this.#rows.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as StoredProcess);
  }

  /** Earliest first; of several, the one that was set first. */
  timers(): readonly StoredTimer[] {
    return [...this.#timers.values()]
      .map((text) => JSON.parse(text) as StoredTimer)
      .toSorted((one, other) => Date.parse(one.dueAt) - Date.parse(other.dueAt));
  }

  take(event: StoredEvent): Promise<StepOutcome> {
    return this.#step(keyOf(this.process, event), { event });
  }

  /** The request that has waited longest ends with these events, or is given up with this problem. */
  async answer(outcome: readonly Event[] | Problem): Promise<void> {
    const [[id, request] = []] = this.#requests;
    if (id === undefined || request === undefined)
      throw new Problem('invalid-setup', {
        detail: `Nothing that ${this.process.name} invoked waits for an answer: it was answered, or its state was left.`,
      });
    this.#requests.delete(id);
    const timer = outcomeTimer({ id, context: JSON.parse(request) as Json }, outcome);
    if (timer !== undefined) this.#set(timer);
    await this.advance(0);
  }

  /** Lets time pass; timers fire in order, each at its own time. */
  async advance(ms: number): Promise<void> {
    const end = this.now + ms;
    for (let [timer] = this.timers(); timer !== undefined; [timer] = this.timers()) {
      const due = Date.parse(timer.dueAt);
      if (due > end) break;
      this.now = Math.max(this.now, due);
      const outcome = await this.#step(timer.key, { timer });
      // A host would try it again; here it is out of the way.
      if (outcome.kind === 'parked' || outcome.kind === 'newer-version') this.#timers.delete(timer.id);
    }
    this.now = end;
  }

  async #step(key: string, trigger: StepInput['trigger']): Promise<StepOutcome> {
    const sent: Command[] = [];
    const stage = async (command: Command) => {
      const problem = this.refusing(command);
      if (problem === undefined) sent.push(command);
      return problem;
    };
    const { process } = this;
    const row = this.row(key);
    const step = { process, key, row, trigger, stage, effectOf: anyEffect };
    const outcome = await processStep({ ...step, at: this.#at(), context: {} });
    this.outcomes.push(outcome);
    if (outcome.kind !== 'newer-version') this.#commit(outcome.lists);
    if (outcome.kind === 'stepped') {
      this.sent.push(...sent);
      this.records.push(...outcome.records);
    }
    return outcome;
  }

  #commit({ ended, timers, processes }: StepLists): void {
    for (const { id } of ended) {
      this.#timers.delete(id);
      this.#requests.delete(id);
    }
    for (const timer of timers) {
      if (timer.kind !== 'effect') this.#set(timer);
      else {
        this.#requests.set(timer.id, JSON.stringify(timer.context));
        this.asked.push(timer.data);
      }
    }
    for (const { error = null, ...step } of processes) {
      const startedAt = this.row(step.key)?.startedAt ?? this.#at();
      const row: StoredProcess = {
        ...step,
        error,
        revision: step.revision + 1,
        startedAt,
        updatedAt: this.#at(),
      };
      this.#rows.set(step.key, JSON.stringify(row));
    }
  }

  #set({ id, kind, name, key, due, data, context }: SetTimer): void {
    this.#timers.delete(id);
    const dueAt = 'at' in due ? due.at : this.#at(due.inMs);
    const unset = { lateMs: 0, expiresMs: null, attempts: 0, parked: false, error: null };
    const what = { id, kind: kind as TimerKind, name, key, data, context };
    const timer: StoredTimer = { ...what, dueAt, setAt: this.#at(), ...unset };
    this.#timers.set(id, JSON.stringify(timer));
  }

  #at(inMs = 0): Timestamp {
    return new Date(this.now + inMs).toISOString();
  }
}

/** Which effect does a command is not for its process to know; a host checks at the start that there is one. */
const anyEffect = (command: Command): KnownEffect =>
  knownEffect({
    command: command.constructor as MessageClass<Command>,
    effect: { name: 'any', call: () => Promise.resolve() },
  });
