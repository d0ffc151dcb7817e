/** A stream in the list of those that changed last. */
export interface StreamItem {
  readonly streamId: string;
  readonly eventType: string;
  readonly position: number;
  readonly recordedAt: string;
}

/** An event of a stream, without its content. */
export interface StreamEvent {
  readonly position: number;
  readonly globalPosition: number;
  readonly eventType: string;
  readonly occurredAt: string;
  readonly recordedAt: string;
  readonly host: string;
  readonly user?: string | undefined;
  readonly correlationId?: string | undefined;
}

/** A part of a stream, oldest event first. */
export interface StreamEvents {
  readonly streamId: string;
  readonly events: readonly StreamEvent[];
  /** The position of the last event of the stream. */
  readonly last: number;
}

/** One event, and what it did to the rows of the perspectives. */
export interface StreamStep extends StreamEvent {
  readonly eventId: string;
  /** Sensitive fields are hidden. */
  readonly payload: unknown;
  readonly rows: readonly RowStep[];
  /** Why there are no rows. */
  readonly withoutRows?: string | undefined;
}

/** A row before and after an event; null when there is none. */
export interface RowStep {
  readonly perspective: string;
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
  /** Whether events of other streams belong to the row too; they are left out. */
  readonly isPartial: boolean;
  /** Why the event could not be folded. */
  readonly failure?: string | undefined;
}

export interface StreamsPart {
  /** Those with the newest events, newest first. */
  latest(): Promise<readonly StreamItem[]>;
  /** Undefined if there is no such stream. */
  events(streamId: string, after: number): Promise<StreamEvents | undefined>;
  step(streamId: string, position: number): Promise<StreamStep | undefined>;
}
