import { performance } from 'node:perf_hooks';

/** So many turns in a row that find a connection to accept are no chance. */
const fewestTurns = 5;

/**
 * One turn of the event loop after the other. Every request that a turn serves was in its socket before it began:
 * whoever comes late in a long turn has waited at least as long as it has lasted, and nobody has seen it. A turn accepts
 * one connection: while every turn finds one to accept, others wait that nobody has seen either.
 */
export class LoopTurn {
  #begunAt: number | undefined;
  #accepted = false;
  #acceptedTurns = 0;
  #acceptingSince = 0;

  /** How long the present turn has been serving requests; the first one to ask begins it. */
  lastedMs(now: number = performance.now()): number {
    if (this.#begunAt !== undefined) return now - this.#begunAt;
    this.#begunAt = now;
    setImmediate(this.#end);
    return 0;
  }

  /** How long there has been a queue of connections. */
  acceptingMs(now: number = performance.now()): number {
    return this.#acceptedTurns < fewestTurns ? 0 : now - this.#acceptingSince;
  }

  /** A connection was accepted. */
  accepted(now: number = performance.now()): void {
    this.lastedMs(now);
    this.#accepted = true;
  }

  readonly #end = (): void => {
    if (!this.#accepted) this.#acceptedTurns = 0;
    else if (this.#acceptedTurns++ === 0) this.#acceptingSince = this.#begunAt ?? 0;
    this.#accepted = false;
    this.#begunAt = undefined;
  };
}
