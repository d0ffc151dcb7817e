import type { UnitOfWork } from '../../contracts/receptor.js';
import type { CommandIdentity } from './running-commands-shared-memory.js';

/** One command in its handler; it holds its slot until it leaves. */
export interface QueuedCommand extends CommandIdentity {
  readonly work: UnitOfWork;
  /** Managed by the handler. */
  status: 'none' | 'waiting' | 'running';
  /** Where it is among the running commands. */
  slot: number;
  key: string | undefined;
  /** Of a command with several keys: all of them. */
  keys: readonly string[] | undefined;
  /** Its place among those that wait. */
  ticket: number | undefined;
  /** Whether the other command invoked this one, directly or through others, and so ends only after it. */
  isInvokedBy(other: QueuedCommand): boolean;
  /** Whether the other command is committed together with this one. */
  isInStepWith?(other: QueuedCommand): boolean;
  /** Earlier commands of its step hold their slots until it ends: two steps could wait for each other. */
  readonly mustNotWait?: boolean;
  /** Whether it can be decided before the earlier commands with its key are committed. */
  readonly mayFollow?: boolean;
  /** Another command waits for it, and may hold keys for which others wait. */
  readonly isNested?: boolean;
  /** Called when a slot is free. */
  begin?(): void;
  succeed(result: unknown): void;
  fail(error: unknown): void;
}
