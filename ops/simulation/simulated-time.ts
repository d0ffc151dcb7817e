import { randomFrom } from '../chaos/harness/seeded-random.js';

/** A process that is frozen, or ends, with everything that it waits for. */
export interface SimulatedHost {
  readonly name: string;
  isAlive: boolean;
  frozenUntil: number;
}

interface Task {
  due: number;
  readonly order: number;
  readonly host: SimulatedHost | undefined;
  readonly run: () => void;
  isCancelled: boolean;
}

const { setImmediate: nextTurn } = globalThis;
const nextTick = (then: () => void): void => process.nextTick(then);
const startsAt = 1_000;

/**
 * The time of one run: what waits, on all hosts, happens one after the other. Its order follows from the seed, because all
 * that may differ between two runs, such as how long an answer takes, is drawn from `random`.
 */
export class SimulatedTime {
  readonly random: () => number;
  /** Whose code runs; undefined: a server's. What it begins to wait for is this host's. */
  host: SimulatedHost | undefined;
  /** Milliseconds. */
  now = startsAt;
  steps = 0;
  /** Differs between two runs that were not the same. */
  digest = 0;
  #asked = 0;
  /** A heap: what is next is first. */
  readonly #tasks: Task[] = [];

  constructor(seed: number) {
    this.random = randomFrom(seed);
  }

  /** A number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + this.random() * (most - least);
  }

  /** A whole number below `count`. */
  below(count: number): number {
    return Math.floor(this.random() * count);
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  /** The running code takes so long: meanwhile nothing else happens. */
  spend(ms: number): void {
    this.now += ms;
  }

  /** Runs the task in so many milliseconds, unless it is cancelled by then; the returned function does that. */
  after(ms: number, run: () => void): () => void {
    return this.on(this.host, ms, run);
  }

  /** The same on a host; undefined: on a server. */
  on(host: SimulatedHost | undefined, ms: number, run: () => void): () => void {
    const due = this.now + Math.max(0, ms);
    const task: Task = { due, order: this.#asked++, host, run, isCancelled: false };
    this.#push(task);
    return () => void (task.isCancelled = true);
  }

  /** Lets happen what is due, until the condition is true; false: it was not within this time. */
  async until(
    isSo: () => boolean,
    withinMs: number,
    afterStep: () => void = () => undefined,
  ): Promise<boolean> {
    const end = this.now + withinMs;
    await new Promise(nextTurn);
    while (!isSo()) {
      const task = this.#pop();
      if (task === undefined) return false;
      if (task.due > end) {
        this.#push(task);
        return false;
      }
      if (!this.#happens(task)) continue;
      // Everything that follows from it without waiting: a tick comes after all promises.
      await new Promise<void>(nextTick);
      afterStep();
    }
    return true;
  }

  /** A frozen host is late for everything. */
  #happens(task: Task): boolean {
    const { host } = task;
    if (task.isCancelled || host?.isAlive === false) return false;
    if (host !== undefined && host.frozenUntil > task.due) {
      task.due = host.frozenUntil;
      this.#push(task);
      return false;
    }
    this.now = Math.max(this.now, task.due);
    this.host = host;
    this.steps++;
    this.digest = (Math.imul(this.digest, 31) + Math.round(this.now * 1_000) + task.order) | 0;
    task.run();
    return true;
  }

  #push(task: Task): void {
    const tasks = this.#tasks;
    let at = tasks.push(task) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (isBefore(tasks[above], task)) break;
      tasks[at] = tasks[above] ?? task;
      at = above;
    }
    tasks[at] = task;
  }

  #pop(): Task | undefined {
    const tasks = this.#tasks;
    const [first] = tasks;
    const last = tasks.pop();
    if (last === undefined || tasks.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const next = isBefore(tasks[left + 1], tasks[left]) ? left + 1 : left;
      const below = tasks[next];
      if (below === undefined || isBefore(last, below)) break;
      tasks[at] = below;
      at = next;
    }
    tasks[at] = last;
    return first;
  }
}

function isBefore(one: Task | undefined, other: Task | undefined): boolean {
  if (one === undefined) return false;
  if (other === undefined) return true;
  return one.due < other.due || (one.due === other.due && one.order < other.order);
}
