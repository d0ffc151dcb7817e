import { type Cancellation, deadlineExceeded } from './cancellation.js';

/** A running deadline in a linked list, in order of its start. */
interface Deadline {
  readonly cancellation: Cancellation;
  readonly at: number;
  earlier: Deadline | undefined;
  later: Deadline | undefined;
  isOver: boolean;
}

/** Deadlines of equal length expire in the order they started: one timer serves them all. */
export class Deadlines {
  #first: Deadline | undefined;
  #last: Deadline | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly lengthMs: number) {}

  begin(cancellation: Cancellation, now = performance.now()): Deadline {
    const earlier = this.#last;
    const deadline = { cancellation, at: now + this.lengthMs, earlier, later: undefined, isOver: false };
    if (earlier === undefined) this.#first = deadline;
    else earlier.later = deadline;
    this.#last = deadline;
    if (this.#timer === undefined) this.#wakeIn(this.lengthMs);
    return deadline;
  }

  end(deadline: Deadline): void {
    if (deadline.isOver) return;
    deadline.isOver = true;
    const { earlier, later } = deadline;
    if (earlier === undefined) this.#first = later;
    else earlier.later = later;
    if (later === undefined) this.#last = earlier;
    else later.earlier = earlier;
    // A deadline that is still referenced must not keep its neighbors from being collected.
    deadline.earlier = deadline.later = undefined;
  }

  #wakeIn(ms: number): void {
    this.#timer = setTimeout(() => this.#expire(), ms).unref();
  }

  #expire(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (let first = this.#first; first !== undefined; first = this.#first) {
      if (first.at > now) return this.#wakeIn(first.at - now);
      this.end(first);
      first.cancellation.abort(deadlineExceeded(this.lengthMs));
    }
  }
}
