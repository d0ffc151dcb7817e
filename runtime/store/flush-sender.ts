import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import type { BoundValue } from '../database/bind-frame.js';
import { outcomeUnknown, type SqlFailure } from '../database/sql-error.js';
import { failpoint } from '../lang/failpoint.js';
import type { EncodedUnit } from './encode-unit.js';
import {
  answersOf,
  flushParameters,
  type FlushRow,
  oneEventParameters,
  type UnitAnswer,
} from './flush-call.js';

/** A unit and the caller that waits for its outcome. */
export interface PendingUnit {
  readonly unit: EncodedUnit;
  settle(answer: UnitAnswer): void;
  refuse(problem: Problem): void;
}

/** One connection that sends flushes to the database. */
export interface CommitConnection {
  send(parameters: readonly BoundValue[]): Promise<FlushRow>;
  /** A flush of one event. */
  sendOne(parameters: readonly BoundValue[]): Promise<FlushRow>;
  discard(): void;
}

export interface WriterPorts {
  readonly host: string;
  connect(): Promise<CommitConnection>;
  failureOf(error: unknown): SqlFailure;
  unavailable(cause: unknown): Problem;
  /** Reports the number of units of a flush and how long it took. */
  flushed?(units: number, seconds: number): void;
}

interface FlushCall {
  readonly isOne: boolean;
  send(connection: CommitConnection): Promise<FlushRow>;
}

const maxRefusals = 3;

/** Sends one flush at a time. A flush with an unknown outcome is retried under its own number until the outcome is known. */
export class FlushSender {
  readonly #id: Uuid = newUuid();
  #flush = 0;
  #connection: CommitConnection | undefined;
  readonly #closing = new AbortController();

  constructor(
    private readonly ports: WriterPorts,
    /** Called when the store cannot be reached, so that waiting units fail fast. */
    private readonly unreachable: (problem: Problem) => void,
  ) {}

  /** Settles every unit of the batch. */
  async deliver(batch: readonly PendingUnit[]): Promise<void> {
    const startedAt = performance.now();
    await this.#deliver(batch).catch((error: unknown) => refuse(batch, unexpected(error)));
    this.ports.flushed?.(batch.length, (performance.now() - startedAt) / 1000);
  }

  /** From now on an unknown outcome stays unknown; a wait for the next attempt ends. */
  stopRetrying(): void {
    this.#closing.abort();
  }

  dropConnection(): void {
    this.#connection?.discard();
    this.#connection = undefined;
  }

  async #deliver(batch: readonly PendingUnit[]): Promise<void> {
    const units = batch.map((waiting) => waiting.unit);
    let call = this.#callOf(units);
    if (call instanceof Error) return this.#deliverOneByOne(batch, 'data', call);
    const { isOne } = call;
    let unknown = false;
    let refusals = 0;
    for (let attempt = 0; ; attempt++) {
      try {
        this.#connection ??= await this.ports.connect();
      } catch (error) {
        const problem = this.ports.unavailable(error);
        this.unreachable(problem);
        if (!unknown) return refuse(batch, problem);
        if (this.#closing.signal.aborted) return refuse(batch, outcomeUnknown(error));
        await this.#backOff(attempt);
        continue;
      }
      try {
        failpoint('store-before-commit');
        const row = await call.send(this.#connection);
        failpoint('store-after-commit');
        const answers = answersOf(row, units);
        // Without a stored answer, the first call may still find its stream at the position that the second did not.
        if (unknown && isOne && answers[0]?.status === 'conflict')
          return refuse(batch, outcomeUnknown('the stream has another position'));
        return settle(batch, answers);
      } catch (error) {
        const failure = this.ports.failureOf(error);
        if (failure === 'taken' && call.isOne) {
          // The general call compares the stored event with this one.
          call = this.#generalCall(units);
          continue;
        }
        if (failure === 'data' || failure === 'taken') return this.#deliverOneByOne(batch, failure, error);
        if (failure !== 'refused') this.dropConnection();
        if (failure === 'lost') unknown = true;
        else if (++refusals > maxRefusals)
          return refuse(batch, unknown ? outcomeUnknown(error) : this.ports.unavailable(error));
        await this.#backOff(attempt);
      }
    }
  }

  async #backOff(attempt: number): Promise<void> {
    const ms = Math.random() * Math.min(1000, 20 * 2 ** attempt);
    await delay(ms, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }

  #callOf(units: readonly EncodedUnit[]): FlushCall | Error {
    try {
      const one = oneEventParameters(this.#id, this.#flush + 1, this.ports.host, units);
      if (one === undefined) return this.#generalCall(units);
      this.#flush++;
      return { isOne: true, send: (connection) => connection.sendOne(one) };
    } catch (error) {
      return error instanceof Error ? error : unexpected(error);
    }
  }

  #generalCall(units: readonly EncodedUnit[]): FlushCall {
    const parameters = flushParameters(this.#id, ++this.#flush, this.ports.host, units);
    return { isOne: false, send: (connection) => connection.send(parameters) };
  }

  /** One unit of the batch cannot be stored; sent alone, each gets its own outcome. */
  async #deliverOneByOne(
    batch: readonly PendingUnit[],
    failure: 'data' | 'taken',
    error: unknown,
  ): Promise<void> {
    if (batch.length > 1) {
      for (const waiting of batch) await this.#deliver([waiting]);
    } else if (failure === 'taken') settle(batch, [{ status: 'conflict' }]);
    else refuse(batch, unexpected(error));
  }
}

const unexpected = (cause: unknown): Problem => new Problem('unexpected', { cause });

function settle(batch: readonly PendingUnit[], answers: readonly UnitAnswer[]): void {
  batch.forEach((waiting, index) => {
    const answer = answers[index];
    if (answer !== undefined) waiting.settle(answer);
  });
}

function refuse(batch: readonly PendingUnit[], problem: Problem): void {
  for (const waiting of batch) waiting.refuse(problem);
}
