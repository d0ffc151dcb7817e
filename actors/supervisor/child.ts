/** One child, for people and machines that watch. */
export interface ChildStatus {
  readonly name: string;
  readonly state: 'starting' | 'running' | 'clearing' | 'crashed' | 'stopping' | 'stopped' | 'failed';
  readonly restarts: number;
  /** Milliseconds since 1970 at which this state of affairs began. */
  readonly since: number;
  readonly lastError?: string;
  readonly mailbox?: number;
  /** Those that it supervises itself. */
  readonly children?: readonly ChildStatus[];
}

/** What a started child gives back. */
export interface Running {
  stop(): unknown;
  /** Messages that wait, where there is a mailbox. */
  readonly mailbox?: number;
  /** Those that it supervises itself. */
  readonly children?: readonly ChildStatus[];
}

/** Something long-lived: it is started, may crash, and is stopped. */
export interface Child<T extends Running = Running> {
  readonly name: string;
  /** It says `crashed` when it is beyond repair; it is then stopped, and started again. */
  start(crashed: (error: unknown) => void): Promise<T> | T;
  /** Others stand on what it gave them: its crash is the crash of all. */
  readonly isVital?: boolean;
  /** Its last crash was nothing that waiting helps against, and does not count. */
  restartsAtOnce?(): boolean;
  readonly stopWithinMs?: number;
}
