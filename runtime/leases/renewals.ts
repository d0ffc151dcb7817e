import { afterRunning } from '../lang/after-running.js';
import { log } from '../logging/log.js';
import { thrownMessage } from '../lang/thrown.js';
import type { Turn } from './postgres-leases.js';
import type { LeaseGroup } from './shares.js';

/** Leases that were not renewed in time, or could not be taken. */
export interface LateLeases {
  readonly names: readonly string[];
  /** When the first of them was due. */
  readonly dueAt: Date;
  readonly reason: string;
}

/** A renewal that is as late as this is reported. */
const lateAfterMs = 1_500;
const askAgainMs = 500;

const heldElsewhere = 'another session holds the rows of these leases';
const silent = 'the database does not answer';

/**
 * Which leases of a host are not renewed, and why. Only what the store answers, or that it does not, makes a lease late:
 * a process that was suspended asks first.
 */
export class Renewals {
  #asked: readonly string[] = [];
  /** When the first of the questions was asked that have no answer yet. */
  #askedAt: number | undefined;
  #error: string | undefined;
  #endWaiting: () => void = () => undefined;
  #dueAt: ReadonlyMap<string, number> = new Map();
  #late: LateLeases | undefined;
  #since = new Date();

  /** `keptMs`: how long a lease lasts at least that is renewed at each turn. */
  constructor(private readonly keptMs: number) {}

  get late(): LateLeases | undefined {
    return this.#late;
  }

  /** When leases became late, or were renewed again. */
  get since(): Date {
    return this.#since;
  }

  /** The host asks for these. */
  asked(names: readonly string[]): void {
    this.#asked = names;
    if (this.#askedAt !== undefined) return;
    this.#askedAt = performance.now();
    // An answer that came while the process was suspended is read first.
    this.#endWaiting = afterRunning(lateAfterMs, () => setImmediate(() => this.#noteSilence()));
  }

  /** The question failed; it is asked again. */
  failed(error: unknown): void {
    this.#error = thrownMessage(error);
    if (this.#late !== undefined) this.#noteSilence();
  }

  /** Returns how soon to ask again, if a lease is due that this question did not renew, or did not get. */
  answered(
    { held, remainingMs }: Pick<Turn, 'held' | 'remainingMs'>,
    groups: readonly LeaseGroup[],
  ): number | undefined {
    this.#noteAnswer();
    const now = performance.now();
    const due = groups.flatMap(({ names, share }) => {
      const hasRoom = names.filter((name) => held.has(name)).length < share;
      return names.flatMap((name): [string, number][] => {
        const remaining = remainingMs.get(name) ?? Infinity;
        if (held.has(name)) return remaining < this.keptMs ? [[name, now - this.keptMs + remaining]] : [];
        return hasRoom && remaining === 0 ? [[name, now]] : [];
      });
    });
    this.#dueAt = new Map(due.map(([name, at]) => [name, Math.min(at, this.#dueAt.get(name) ?? Infinity)]));
    const late = [...this.#dueAt].filter(([, at]) => now - at >= lateAfterMs);
    this.#note(
      late.map(([name]) => name),
      Math.min(...late.map(([, at]) => at)),
      heldElsewhere,
    );
    // The question that finds a lease late is asked at that time.
    const lateInMs = [...this.#dueAt.values()].map((at) => at + lateAfterMs - now).filter((ms) => ms > 0);
    return due.length > 0 ? Math.min(askAgainMs, ...lateInMs) : undefined;
  }

  /** The host has no followers anymore. */
  end(): void {
    this.#noteAnswer();
    this.#note([], 0, '');
  }

  #noteAnswer(): void {
    this.#endWaiting();
    this.#askedAt = undefined;
    this.#error = undefined;
  }

  #noteSilence(): void {
    if (this.#askedAt !== undefined) this.#note(this.#asked, this.#askedAt, this.#error ?? silent);
  }

  #note(names: readonly string[], dueAt: number, reason: string): void {
    const before = this.#late;
    const isLate = names.length > 0;
    this.#late = isLate
      ? { names, dueAt: new Date(Date.now() - performance.now() + dueAt), reason }
      : undefined;
    if (isLate === (before !== undefined)) return;
    this.#since = new Date();
    if (isLate) log.warn({ leases: names, reason }, 'leases of this host are not renewed');
    else log.info('the leases of this host are renewed again');
  }
}
