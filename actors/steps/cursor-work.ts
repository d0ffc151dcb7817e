import type { Followed } from '../../contracts/event-origin.js';
import type { Command } from '../../contracts/message.js';
import type { Problem } from '../../contracts/problems.js';
import type { UnitLists } from '../../contracts/unit-lists.js';
import type { StagedRecord } from '../../contracts/unit-store.js';
import type { LogEntry } from '../../runtime/log/log-entry.js';

/** What a step adds to the unit of its commands. */
export interface StepAdditions {
  readonly lists?: Partial<UnitLists>;
  readonly records?: readonly StagedRecord[];
  /** Called when the unit is stored. */
  readonly committed?: () => void;
}

/** Runs a command of the step; it is committed with the step. The ids of its commands are their numbers. */
export type StageCommand = (command: Command) => Promise<unknown>;

/** What a cursor drives: a reaction, or a process. */
export interface CursorWork extends Followed {
  readonly name: string;
  /** Begins the names of its cursors. */
  readonly kind: 'reaction' | 'process';
  readonly start: 'head' | 'beginning';
  readonly attempts: number;
  /** Perspectives that have to see an event first. */
  readonly after: readonly string[];
  /** Events of the same key are handled in order. */
  keyOf(entry: LogEntry): string;
  /** The key of a domain event is its stream, and there are no other events. */
  readonly isKeyedByStream?: boolean;
  /** Whether an event does not concern it. */
  skips(entry: LogEntry): boolean;
  /**
   * Handles an event; undefined: it causes nothing, `unmatched`: no state of the process takes it. It may run again. When it throws the refusal of a receptor, what it
   * staged is thrown away, and it runs once more with that `refusal`.
   */
  handle(
    entry: LogEntry,
    stage: StageCommand,
    refusal?: Problem,
  ): Promise<StepAdditions | 'unmatched' | undefined>;
}

/** The context of a process may hold values of any of its events. */
export const hidesErrors = (
  { kind, events }: Pick<CursorWork, 'kind' | 'events'>,
  type: string,
  isSensitive: (type: string) => boolean,
): boolean => (kind === 'process' ? events.some(({ name }) => isSensitive(name)) : isSensitive(type));

const importedAfterMs = 60_000;

/** An own event that was imported, or recorded long after it happened. */
export const isImported = ({ event, isForeign, isImported: isMarked }: LogEntry): boolean =>
  isMarked === true ||
  (!isForeign && Date.parse(event.recordedAt) - Date.parse(event.occurredAt) > importedAfterMs);
