/** A stored record in the list. */
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
  readonly command?: string | undefined;
  readonly user?: string | undefined;
  readonly tenant?: string | undefined;
  readonly correlation?: string | undefined;
  readonly host?: string | undefined;
  readonly stream?: string | undefined;
  readonly status?: 'failed' | 'succeeded' | undefined;
  /** ISO 8601. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** How often each value occurs among the newest records that match. */
export interface SystemFacets {
  readonly examined: number;
  readonly values: readonly FacetValue[];
}

export interface FacetValue {
  readonly facet: 'type' | 'host' | 'user';
  readonly value: string;
  readonly count: number;
}

/** One bounded page of older records; `before` is where the next page starts. */
export interface SystemPage {
  readonly records: readonly StreamRecord[];
  readonly before: number | undefined;
}

export interface SystemPart {
  head(): Promise<number>;
  /** Oldest first: the newest records after this position. */
  after(position: number, limit: number): Promise<readonly StreamRecord[]>;
  /** Newest first. */
  page(filter: SystemFilter, before: number | undefined, limit: number): Promise<SystemPage>;
  facets(filter: SystemFilter): Promise<SystemFacets>;
  record(position: number): Promise<RecordDetail | undefined>;
  verify(): Promise<ChainFigures>;
}

export interface ChainFigures {
  readonly ok: boolean;
  /** If there are several chains: their number, and the store whose chain is broken. */
  readonly chains?: number | undefined;
  readonly store?: string | undefined;
  readonly records: number;
  readonly head: { readonly position: number; readonly hash: string };
  readonly firstBroken?: number | undefined;
  readonly verifiedAt: string;
}
