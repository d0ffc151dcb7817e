/** The event that every store of this bench appends. */
export interface LogEvent {
  readonly type: string;
  readonly data: object;
  readonly metadata: EventMetadata;
}

interface EventMetadata {
  readonly correlationId: string;
  readonly causationId: string;
  readonly scope: Readonly<Record<string, string>>;
  readonly traceparent: string;
}

/** A store under measurement. */
export interface EventLog {
  /** Resolves when the event is on disk; `expected` is the position the stream must have. */
  append(streamId: string, event: LogEvent, expected: number): Promise<void>;
  /** Reads all events of a stream; returns how many there are. */
  read?(streamId: string): Promise<number>;
  close(): Promise<void>;
}

export type OpenLog = (url: string) => Promise<EventLog>;
