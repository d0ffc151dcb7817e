import type { ReactionStore } from '../../contracts/reaction-store.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { StagedRecord, UnitStore } from '../../contracts/unit-store.js';
import type { LogReader } from '../../runtime/log/log-entry.js';
import type { EventFigures } from './event-figures.js';
import type { InFlight } from './in-flight.js';
import type { AttemptPorts } from './step-attempt.js';

export interface CursorPorts extends AttemptPorts {
  readonly store: Pick<UnitStore, 'commit'>;
  readonly reactions: ReactionStore;
  readonly log: LogReader;
  readonly inFlight: InFlight;
  /** Shared by all partitions. */
  readonly figures: EventFigures;
  /** Of the application: what an earlier one has parked is tried again. */
  readonly version?: string;
  /** A system message for the unit in which it happens; undefined: it is not enabled. */
  readonly recordOf: (message: SystemMessage) => StagedRecord | undefined;
  /** Called with the records of a unit after its commit. */
  readonly committed: (records: readonly StagedRecord[]) => void;
}
