import { Problem } from '../../contracts/problems.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { Unit, UnitStore } from '../../contracts/unit-store.js';
import { Upcasters } from '../../contracts/upcaster.js';
import { type Cancellation, Withdrawn } from '../../runtime/lang/cancellation.js';
import { outcomeUnknown } from '../../runtime/database/sql-error.js';
import { StagedBase } from '../../runtime/unit/staged-base.js';
import { graceMs } from '../../runtime/store/commit-queue.js';
import type { StagedUnit } from '../../runtime/unit/unit-of-work.js';

/** A command was decided as if others were committed, but they were not: it must be decided again. */
export class Overturned extends Error {
  constructor(
    /** Whether its commit must not be shared, because one of the commands that shared it was refused. */
    readonly isAlone = false,
  ) {
    super('decided on something that was not committed');
  }
}

interface Member {
  /** Undefined for a command that commits nothing; its answer waits for the commands before it. */
  readonly work: StagedUnit | undefined;
  readonly cancellation: Cancellation;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The state of its line when a command was decided. */
export interface Standing {
  readonly line: KeyLine;
  readonly base: StagedBase;
  readonly turn: number;
}

const maxShared = 64;
const noUpcasters = new Upcasters();

/**
 * The decided commands of one key, in order. Each is decided as if those before it were committed, and answered once
 * they are. One commit is in flight at a time; commands decided meanwhile share the next one.
 */
export class KeyLine {
  /** A waiting command must see all others committed. */
  isClosed = false;
  #sent: readonly Member[] = [];
  #waiting: Member[] = [];
  /** Increases when a unit of the line is not committed after all. */
  #turn = 0;
  #withdrawal = new AbortController();

  constructor(
    private readonly store: Pick<UnitStore, 'commit' | 'upcasters'>,
    private readonly emptied: () => void,
  ) {}

  get isEmpty(): boolean {
    return this.#sent.length + this.#waiting.length === 0;
  }

  /** For a command that is about to be decided. */
  standing(cancellation: Cancellation): Standing {
    const turn = this.#turn;
    const sent = this.#sent.flatMap(({ work }) => work ?? []);
    const units = [...sent, ...this.#waiting.flatMap(({ work }) => work ?? [])];
    const committed = (): Promise<void> => this.passed(cancellation, turn);
    return {
      line: this,
      base: new StagedBase(units, sent.length, this.store.upcasters ?? noUpcasters, committed),
      turn,
    };
  }

  /** Resolves when a decided command is committed; rejects with Overturned if one before it was not. */
  commit(work: StagedUnit, turn: number | undefined): Promise<void> {
    return this.#add(work, work.context.cancellation, turn ?? this.#turn);
  }

  /** Resolves when everything in the line is committed. */
  passed(cancellation: Cancellation, turn: number): Promise<void> {
    return this.#add(undefined, cancellation, turn);
  }

  #add(work: StagedUnit | undefined, cancellation: Cancellation, turn: number): Promise<void> {
    if (turn !== this.#turn) return Promise.reject(new Overturned());
    if (work === undefined && this.isEmpty) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const forget = cancellation.onAbort(() => this.#abort(member));
      const member: Member = {
        work,
        cancellation,
        resolve: () => {
          forget();
          resolve();
        },
        reject: (error) => {
          forget();
          reject(error);
        },
      };
      this.#waiting.push(member);
      if (this.#sent.length === 0) void this.#send();
    });
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const members = (this.#sent = this.#take());
      const error = await this.#stored(members.flatMap(({ work }) => work ?? []));
      this.#sent = [];
      if (error === undefined) for (const { resolve } of members) resolve();
      else this.#refuse(members, error.thrown);
    }
    this.emptied();
  }

  /** Takes the first command, and those after it that can share its commit. */
  #take(): readonly Member[] {
    const [first] = this.#waiting;
    const stream = first?.work === undefined ? undefined : streamOf(first.work);
    const end = this.#waiting.findIndex(
      ({ work }, index) =>
        index === maxShared ||
        (index > 0 && work !== undefined && (stream === undefined || streamOf(work) !== stream)),
    );
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  async #stored(works: readonly StagedUnit[]): Promise<{ readonly thrown: unknown } | undefined> {
    const [first, ...others] = works;
    if (first === undefined) return undefined;
    try {
      if (others.length === 0) await this.store.commit(first, first.context.cancellationToken);
      else await this.#storeAsOne(works);
      return undefined;
    } catch (thrown) {
      return { thrown };
    }
  }

  async #storeAsOne(works: readonly StagedUnit[]): Promise<void> {
    const unit = sharedUnit(works);
    this.#withdrawal = new AbortController();
    await this.store.commit(unit, this.#withdrawal.signal);
    const end = (unit.events.at(-1)?.globalPosition ?? 0) + unit.records.length;
    for (const work of works) work.end = end;
  }

  /** Everything after a refused unit was decided on it. */
  #refuse(members: readonly Member[], error: unknown): void {
    const behind = this.#waiting.splice(0);
    this.#turn++;
    const isShared = members.filter(({ work }) => work !== undefined).length > 1;
    for (const { work, cancellation, reject } of members) {
      if (work === undefined) reject(new Overturned());
      else if (!isShared) reject(error);
      else if (cancellation.aborted && error instanceof Withdrawn) reject(cancellation.reason);
      else reject(reasonFor(error));
    }
    for (const { reject } of behind) reject(new Overturned());
  }

  #abort(member: Member): void {
    const { work, cancellation, reject } = member;
    const index = this.#waiting.indexOf(member);
    if (index === -1) return this.#withdraw(member);
    this.#waiting.splice(index, 1);
    reject(cancellation.reason);
    if (work === undefined) return;
    this.#turn++;
    for (const behind of this.#waiting.splice(index)) behind.reject(new Overturned());
  }

  /** Leaves a shared commit that is in flight, if it is not too late. */
  #withdraw({ work, cancellation, reject }: Member): void {
    if (work === undefined) return reject(cancellation.reason);
    if (this.#sent.filter((other) => other.work !== undefined).length < 2) return;
    this.#withdrawal.abort(new Withdrawn());
    setTimeout(() => reject(outcomeUnknown(cancellation.reason)), graceMs).unref();
  }
}

/**
 * The one stream that decides about a unit; undefined if anything else does too, because such a commit cannot be
 * shared.
 */
function streamOf({ expected, outcome, lists }: StagedUnit): Uuid | undefined {
  if (expected.size !== 1 || outcome !== undefined || lists !== undefined) return undefined;
  const [stream] = expected.keys();
  return stream;
}

/** Their events and records keep their order, and each unit gets its own positions. */
function sharedUnit(works: readonly StagedUnit[]): Unit {
  const expected = works[0]?.expected ?? new Map<Uuid, Long>();
  const [position = 0] = expected.values();
  works.reduce((at, work) => {
    if (![...work.expected.values()].includes(at)) throw new Overturned(true);
    return at + work.events.length;
  }, position);
  return {
    events: works.flatMap(({ events }) => events),
    records: works.flatMap(({ records }) => records),
    expected,
  };
}

/** A shared commit is refused for these because of one command; committed alone, each command gets its own answer. */
const refusals = new Set(['duplicate-in-flight', 'invalid-event', 'reserved-stream', 'unexpected']);

function reasonFor(error: unknown): unknown {
  if (error instanceof Withdrawn) return new Overturned();
  return error instanceof Problem && refusals.has(error.code) ? new Overturned(true) : error;
}
