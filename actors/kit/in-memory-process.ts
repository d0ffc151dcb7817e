import type { StoredEvent } from '../../contracts/event-store.js';
import type { Command, SystemEvent } from '../../contracts/message.js';
import type { Problem } from '../../contracts/problems.js';
import type { StoredProcess, StoredTimer } from '../../contracts/reaction-store.js';
import type { Timestamp, Uuid } from '../../contracts/scalars.js';
import type { TimerKind } from '../../contracts/unit-lists.js';
import { keyOf } from '../processes/check-process.js';
import type { Process } from '../processes/process.js';
import { processStep, type StepInput, type StepLists, type StepOutcome } from '../processes/process-step.js';

/** Which commands receptors refuse. */
type Refusing = (command: Command) => Problem | undefined;

/** A process with rows, timers and time of its own. Between two steps everything is JSON text, as in the database. */
export class InMemoryProcess {
  readonly sent: Command[] = [];
  readonly records: SystemEvent[] = [];
  readonly outcomes: StepOutcome[] = [];
  readonly #rows = new Map<string, string>();
  readonly #timers = new Map<Uuid, string>();

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
    const outcome = await processStep({ process, key, row, trigger, stage, at: this.#at(), context: {} });
    this.outcomes.push(outcome);
    if (outcome.kind !== 'newer-version') this.#commit(outcome.lists);
    if (outcome.kind === 'stepped') {
      this.sent.push(...sent);
      this.records.push(...outcome.records);
    }
    return outcome;
  }

  #commit({ ended, timers, processes }: StepLists): void {
    for (const { id } of ended) this.#timers.delete(id);
    for (const { id, kind, name, key, due, data, context } of timers.filter((one) => one.kind !== 'effect')) {
      this.#timers.delete(id);
      const dueAt = 'at' in due ? due.at : this.#at(due.inMs);
      const unset = { lateMs: 0, expiresMs: null, attempts: 0, parked: false, error: null };
      const timer: StoredTimer = {
        id,
        kind: kind as TimerKind,
        name,
        key,
        dueAt,
        setAt: this.#at(),
        data,
        context,
        ...unset,
      };
      this.#timers.set(id, JSON.stringify(timer));
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

  #at(inMs = 0): Timestamp {
    return new Date(this.now + inMs).toISOString();
  }
}
