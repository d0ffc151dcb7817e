import { StoreWentBack } from '../../contracts/events/store-went-back.js';
import { Problem } from '../../contracts/problems.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { Database, Row, Session } from '../database/database.js';
import { sqlFailureOf } from '../database/sql-error.js';
import { failpoint } from '../lang/failpoint.js';
import { log } from '../logging/log.js';
import { nowText } from '../lang/now-text.js';
import { type ChangeRecorder, recordedIn } from './append-records.js';
import type { SeenEvent } from './witness-file.js';

/** Acknowledged events that the store no longer holds: those after `fork`, up to `lostTo`. */
interface Loss {
  /** It began with the loss. */
  readonly epoch: number;
  readonly fork: Long;
  readonly lostTo: Long;
}

interface WitnessOptions {
  /** The host's name in events. */
  readonly host: string;
  /** False: two copies were promised, so that an operator decides about a loss, and until then nothing is written. */
  readonly acceptsLoss: boolean;
}

/** The newest event seen over the same connections. */
interface ObservedEvent extends Mutable<SeenEvent> {
  readonly connections: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const beforeStart = -1;

type Rows = Pick<Session, 'rows'>;

/**
 * Remembers what this host was promised. Neither the head of the log nor the timeline of the server reveals a loss, as
 * new events soon pass the old head; the event at a position does. A new connection may lead to another server, so what
 * was seen before is compared with the log before the connection is used.
 */
export class StoreWitness {
  #observed: ObservedEvent[] = [];
  #connections = 0;
  #epoch = 1;
  #isStarted = false;
  #loss: Loss | undefined;
  #isRefused = false;
  #hasUnreported = false;
  #losses = 0;
  /** Something happened since the last check. */
  #isDue = true;

  constructor(private readonly options: WitnessOptions) {}

  get epoch(): number {
    return this.#epoch;
  }

  /** The last loss that this host knows of. */
  get loss(): Loss | undefined {
    return this.#loss;
  }

  /** How many losses this host noticed. */
  get losses(): number {
    return this.#losses;
  }

  /** Nothing is written until an operator has accepted the loss. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** A loss waits to be recorded in the system stream. */
  get hasUnreported(): boolean {
    return this.#hasUnreported;
  }

  /** The event at this position was acknowledged. */
  observe(position: Long, eventId: Uuid): void {
    this.#isDue = true;
    const last = this.#observed.at(-1);
    if (last?.connections !== this.#connections) {
      this.#observed.push({ connections: this.#connections, epoch: this.#epoch, position, eventId });
      if (this.#observed.length > maxObserved) this.#observed.shift();
    } else if (position > last.position) {
      last.epoch = this.#epoch;
      last.position = position;
      last.eventId = eventId;
    }
  }

  /** What hosts had seen before this one started, oldest first. */
  recall(seen: readonly SeenEvent[]): void {
    this.#observed.unshift(...seen.map((each) => ({ ...each, connections: beforeStart })));
    this.#isDue = true;
  }

  /** To be recalled after a restart. */
  get newest(): SeenEvent | undefined {
    return this.#observed.at(-1);
  }

  /** From now on every new connection is checked: the schema is there. */
  async start(database: Rows): Promise<void> {
    this.#isStarted = true;
    await this.check(database);
  }

  /** Before the first use of a new connection. */
  async connected(session: Rows): Promise<void> {
    this.#connections++;
    this.#isDue = true;
    if (!this.#isStarted) return;
    try {
      await this.check(session);
    } catch (error) {
      if (sqlFailureOf(error) === 'lost') throw error;
      // A server that accepts no writes cannot record a loss: the health check tries again.
      log.debug({ err: error }, 'the history of the store could not be checked');
    }
  }

  /** Now and then: checks if anything happened, or if other hosts may have refused to write. */
  async checkAgain(database: Rows): Promise<void> {
    if (this.#isDue || this.#isRefused || !this.options.acceptsLoss) await this.check(database);
  }

  /** Compares the log with what was seen; a loss that was accepted counts no more. */
  async check(database: Rows): Promise<void> {
    const seen = [...this.#observed];
    this.#isDue = false;
    const values = this.#valuesOf(seen);
    const [row] = await database.rows({ text: checkText, values }).catch((error: unknown) => {
      this.#isDue = true;
      throw error;
    });
    const [epoch, isLost, isFresh, isRefused, hasUnreported, ...loss] = row ?? [];
    if (typeof epoch !== 'string') return;
    this.#epoch = Number(epoch);
    this.#isRefused = isRefused === 't' && !this.options.acceptsLoss;
    this.#hasUnreported = hasUnreported === 't';
    if (typeof loss[0] === 'string') this.#noteLoss(lossOf(loss), isFresh === 't');
    if (!this.#isRefused) this.#forget(seen, isLost === 't');
  }

  /** Records the accepted losses that no host has recorded yet. */
  async record(database: Pick<Database, 'session'>, recorder: ChangeRecorder): Promise<void> {
    await recordedIn(database, recorder, async (session) => {
      const rows = await session.rows({ text: 'SELECT * FROM svc_unreported_losses()' });
      failpoint('loss-recording');
      return rows.map((row) => wentBack(lossOf(row), row[3] ?? ''));
    });
    this.#hasUnreported = false;
  }

  mustAcceptWrites(): void {
    if (!this.#isRefused) return;
    throw new Problem('store-went-back', {
      detail:
        'The database lacks commits that were acknowledged; nothing is written until an operator has decided.',
      retryAfter: 10,
    });
  }

  #valuesOf(seen: readonly ObservedEvent[]): unknown[] {
    const { host, acceptsLoss } = this.options;
    const columns = [seen.map(({ epoch }) => epoch), seen.map(({ position }) => position)];
    return [...columns, seen.map(({ eventId }) => eventId), host, acceptsLoss];
  }

  #noteLoss(loss: Loss, isFresh: boolean): void {
    this.#loss = loss;
    if (!isFresh) return;
    this.#losses++;
    log.error({ ...loss }, 'the database went back in time: acknowledged events are lost');
  }

  #forget(seen: readonly ObservedEvent[], isLost: boolean): void {
    const newest = seen.at(-1);
    this.#observed = this.#observed.filter((each) => !seen.includes(each) || (each === newest && !isLost));
    if (newest !== undefined) newest.epoch = this.#epoch;
  }
}

const lossOf = ([epoch, fork, lostTo]: Row): Loss => ({
  epoch: Number(epoch),
  fork: Number(fork),
  lostTo: Number(lostTo),
});

const wentBack = (loss: Loss, witness: string): StoreWentBack =>
  new StoreWentBack({ ...loss, witness, timestamp: nowText() });

const maxObserved = 64;

const checkText = 'SELECT * FROM svc_new_epoch($1::int[], $2::bigint[], $3::uuid[], $4, $5)';
