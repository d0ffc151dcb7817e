import type { OperatorActed } from '../../contracts/events/operator.js';
import type { StagedRecord } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Session } from '../database/database.js';
import { encodeUnit } from '../store/encode-unit.js';
import { commitCall, flushParameters } from '../store/flush-call.js';
import type { MigrationEvent } from './outcome-events.js';

/** Turns the events of a batch into records of the system stream. */
export interface MigrationRecords {
  readonly host: string;
  recordOf(event: MigrationEvent | OperatorActed): StagedRecord;
  /** Called when they are stored. */
  committed(records: readonly StagedRecord[]): void;
}

/**
 * Stores each event as it happens, over the migrating connection, so that a process that dies leaves its progress
 * behind. Events from before the store exists wait.
 */
export class MigrationEventJournal {
  readonly events: MigrationEvent[] = [];
  readonly #writer = newUuid();
  #flushes = 0;
  #waiting: (MigrationEvent | OperatorActed)[] = [];

  constructor(
    private readonly session: Session,
    private readonly records: MigrationRecords | undefined,
    private readonly watch: (event: MigrationEvent) => void = () => undefined,
  ) {}

  /** Adds an event of this batch. */
  async note(event: MigrationEvent, canStore: boolean): Promise<void> {
    this.events.push(event);
    this.watch(event);
    await this.add([event], canStore);
  }

  /** Adds events of any batch, or who wants it. Events that cannot be stored now are retried with the next ones. */
  async add(events: readonly (MigrationEvent | OperatorActed)[], canStore: boolean): Promise<void> {
    if (this.records === undefined) return;
    this.#waiting.push(...events);
    if (canStore) await this.store().catch(() => undefined);
  }

  /** Stores the waiting events. */
  async store(): Promise<void> {
    const { records: stream } = this;
    if (stream === undefined || this.#waiting.length === 0) return;
    const events = this.#waiting;
    const records = events.map((event) => stream.recordOf(event));
    const unit = encodeUnit({ events: [], records, expected: new Map() }, Date.now());
    const call = this.session.prepared({ name: 'svc_commit_v1', text: commitCall });
    await call(flushParameters(this.#writer, ++this.#flushes, stream.host, [unit]));
    this.#waiting = this.#waiting.slice(events.length);
    stream.committed(records);
  }
}
