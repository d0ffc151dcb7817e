import type { StagedRecord } from '../../contracts/unit.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Session } from '../database/database.js';
import { encodeUnit } from '../store/encode-unit.js';
import { commitCall, flushParameters } from '../store/flush.js';
import type { MigrationEvent } from './outcome.js';

/** How the events of a batch become records of the system stream. */
export interface MigrationRecords {
  readonly host: string;
  recordOf(event: MigrationEvent): StagedRecord;
  /** They are stored now. */
  committed(records: readonly StagedRecord[]): void;
}

/**
 * Stores each event when it happens, over the connection that migrates, so that a process that dies leaves behind how
 * far it came. What happens before the store can keep it waits.
 */
export class Journal {
  readonly events: MigrationEvent[] = [];
  readonly #writer = newUuid();
  #flushes = 0;
  #waiting: MigrationEvent[] = [];

  constructor(
    private readonly session: Session,
    private readonly records: MigrationRecords | undefined,
    private readonly watch: (event: MigrationEvent) => void = () => undefined,
  ) {}

  /** An event of this batch. */
  async note(event: MigrationEvent, canStore: boolean): Promise<void> {
    this.events.push(event);
    this.watch(event);
    await this.add([event], canStore);
  }

  /** Events of any batch. What cannot be stored now is tried again with the next. */
  async add(events: readonly MigrationEvent[], canStore: boolean): Promise<void> {
    if (this.records === undefined) return;
    this.#waiting.push(...events);
    if (canStore) await this.store().catch(() => undefined);
  }

  /** Stores what still waits. */
  async store(): Promise<void> {
    const { records: stream } = this;
    if (stream === undefined || this.#waiting.length === 0) return;
    const events = this.#waiting;
    const records = events.map((event) => stream.recordOf(event));
    const unit = encodeUnit({ events: [], records, expected: new Map() }, Date.now());
    const call = this.session.prepared({ name: 'svc_commit', text: commitCall });
    await call(flushParameters(this.#writer, ++this.#flushes, stream.host, [unit]));
    this.#waiting = this.#waiting.slice(events.length);
    stream.committed(records);
  }
}
