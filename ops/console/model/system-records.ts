/** What the list shows of a stored record. */
export interface StreamRecord {
  readonly position: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly recordedAt: string;
  readonly host: string;
  readonly subject: string;
  readonly user?: string | undefined;
  readonly tenant?: string | undefined;
  readonly correlationId?: string | undefined;
}

export interface RecordDetail extends StreamRecord {
  readonly hash: string;
  readonly data: unknown;
  readonly metadata: unknown;
}

export interface SystemFilter {
  readonly type?: string | undefined;
  readonly user?: string | undefined;
  readonly tenant?: string | undefined;
  readonly correlation?: string | undefined;
}

/** A bounded look back; `before` is where a longer one goes on. */
export interface SystemPage {
  readonly records: readonly StreamRecord[];
  readonly before: number | undefined;
}

export interface SystemPart {
  head(): Promise<number>;
  /** Oldest first: the newest of those after this position. */
  after(position: number, limit: number): Promise<readonly StreamRecord[]>;
  /** Newest first. */
  page(filter: SystemFilter, before: number | undefined, limit: number): Promise<SystemPage>;
  record(position: number): Promise<RecordDetail | undefined>;
  verify(): Promise<ChainFigures>;
}

export interface ChainFigures {
  readonly ok: boolean;
  /** Of several chains: how many, and the store whose chain is broken. */
  readonly chains?: number | undefined;
  readonly store?: string | undefined;
  readonly records: number;
  readonly head: { readonly position: number; readonly hash: string };
  readonly firstBroken?: number | undefined;
  readonly verifiedAt: string;
}
