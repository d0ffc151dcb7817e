import type { Contender } from '../harness/peers.js';

/** A request to a system; a client replaces `{key}`, `{now}`, `{due}` and `{delay}`, all but the key in milliseconds. */
export interface RequestTemplate {
  readonly path: string;
  readonly body: string;
}

/** What each system is asked to do; every request carries its key as `Idempotency-Key`. */
export interface Requests {
  readonly command: RequestTemplate;
  readonly timer: RequestTemplate;
  readonly process: RequestTemplate;
}

/** One system with all its processes: its application and the servers that it needs. */
export interface RunningSystem {
  readonly name: string;
  readonly url: string;
  readonly requests: Requests;
  /** Lateness of timers and duration of processes, in milliseconds; each is returned once. */
  taken(): Promise<readonly number[]>;
  /** How often each order was placed, by its key. */
  placed(): Promise<ReadonlyMap<string, number>>;
  /** The processes that started all others. */
  roots(): Promise<readonly number[]>;
  /** Ends all processes as a power failure does, and starts them at the same address. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

export interface System extends Contender {
  /** With this Node.js. */
  readonly start: (program: string) => Promise<RunningSystem>;
}
