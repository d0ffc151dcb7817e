/** The status of one child, for operators and monitoring. */
export interface ChildStatus {
  readonly name: string;
  readonly state: 'starting' | 'running' | 'clearing' | 'crashed' | 'stopping' | 'stopped' | 'failed';
  readonly restarts: number;
  /** Unix time in milliseconds at which this state began. */
  readonly since: number;
  readonly lastError?: string;
  readonly mailbox?: number;
  /** The children that it supervises itself. */
  readonly children?: readonly ChildStatus[];
}

/** The result of a start. */
export interface Running {
  stop(): unknown;
  /** Waiting messages, when there is a mailbox. */
  readonly mailbox?: number;
  /** The children that it supervises itself. */
  readonly children?: readonly ChildStatus[];
}

/** Something long-lived: it is started, may crash, and is stopped. */
export interface Child<T extends Running = Running> {
  readonly name: string;
  /** Call `crashed` when it cannot recover; it is then stopped and started again. */
  start(crashed: (error: unknown) => void): Promise<T> | T;
  /** Others depend on it: when it crashes, all children stop. */
  readonly isVital?: boolean;
  /** Whether the last crash needs no delay and does not count against the limit. */
  restartsAtOnce?(): boolean;
  readonly stopWithinMs?: number;
}
