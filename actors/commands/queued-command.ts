import type { UnitOfWork } from '../../contracts/receptor.js';
import type { CommandIdentity } from './running-commands-shared-memory.js';

/** One command in its handler; it holds its slot until it leaves. */
export interface QueuedCommand extends CommandIdentity {
  readonly work: UnitOfWork;
  /** On whose behalf it runs. */
  readonly tenant?: string | undefined;
  /** Managed by the handler. */
  status: 'none' | 'waiting' | 'running';
  /** Its index among the running commands. */
  slot: number;
  key: string | undefined;
  /** All keys of a command with several keys. */
  keys: readonly string[] | undefined;
  /** Its place among the waiting commands. */
  ticket: number | undefined;
  /** Whether the other command invoked this one, directly or through others, and therefore ends only after it. */
  isInvokedBy(other: QueuedCommand): boolean;
  /** Whether the other command is committed together with this one. */
  isInStepWith?(other: QueuedCommand): boolean;
  /** Whether earlier commands of its step hold slots until the step ends: two such steps could wait for each other. */
  readonly mustNotWait?: boolean;
  /** Whether it can be decided before the earlier commands with its key are committed. */
  readonly mayFollow?: boolean;
  /** Whether another command waits for it; that command may hold keys for which others wait. */
  readonly isNested?: boolean;
  /** Called when a slot is free. */
  begin?(): void;
  succeed(result: unknown): void;
  fail(error: unknown): void;
}
