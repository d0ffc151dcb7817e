import { createHash } from 'node:crypto';
import type { Timestamp } from '../../contracts/scalars.js';
import type { PlannedEntry, StuckFilter } from './stuck-entries.js';

/** `retry` lets hosts try again at once; `skip` gives up one event, message or timer, and never a later one. */
export type Repair = 'retry' | 'skip';

/** How many entries one plan may have. */
export const mostPlanned = 200_000;

/** What a repair of many entries would act on. */
export interface RepairPlan {
  readonly action: Repair;
  /** The same for the same action and entries. */
  readonly token: string;
  readonly ids: readonly string[];
  /** The most frequent first. */
  readonly causes: readonly PlannedCause[];
  readonly oldest: Timestamp | null;
  /** What matches and is left, with the reason. */
  readonly refused: readonly { readonly why: string; readonly count: number }[];
}

interface PlannedCause {
  readonly fingerprint: string | null;
  readonly count: number;
  /** Of one of them. */
  readonly error: string | null;
}

export function planOf(action: Repair, entries: readonly PlannedEntry[]): RepairPlan {
  const causes = new Map<string | null, PlannedCause>();
  const refused = new Map<string, number>();
  const ids: string[] = [];
  let oldest: Timestamp | null = null;
  for (const entry of entries) {
    const why = refusalOf(action, entry);
    if (why !== undefined) {
      refused.set(why, (refused.get(why) ?? 0) + 1);
      continue;
    }
    ids.push(entry.id);
    const { fingerprint, error, since } = entry;
    const known = causes.get(fingerprint);
    causes.set(fingerprint, { fingerprint, count: (known?.count ?? 0) + 1, error: known?.error ?? error });
    if (since !== null && (oldest === null || Date.parse(since) < Date.parse(oldest))) oldest = since;
  }
  ids.sort();
  return {
    action,
    token: tokenOf(action, ids),
    ids,
    oldest,
    causes: [...causes.values()].toSorted((one, other) => other.count - one.count),
    refused: [...refused].map(([why, count]) => ({ why, count })),
  };
}

function tokenOf(action: Repair, sorted: readonly string[]): string {
  const hash = createHash('sha256').update(action);
  // JSON keeps ids apart, whatever is in their keys.
  for (const id of sorted) hash.update(JSON.stringify(id));
  return hash.digest('hex').slice(0, 16);
}

/** Why an entry cannot be repaired in this way; undefined: it can be. */
export function refusalOf(action: Repair, { id, kind, state }: PlannedEntry): string | undefined {
  if (state === 'retrying') return whyRetrying(action, id, kind);
  if (action === 'retry') return undefined;
  if (kind === 'perspective')
    return 'a read model is folded from all its events, so none of them can be skipped; let apply accept the event, deploy that, and retry';
  return /^process\/[^/@]+@/.test(id)
    ? 'no event or timer stops the process now, so there is nothing to skip; retry lets it continue with its next event'
    : undefined;
}

function whyRetrying(action: Repair, id: string, kind: string): string | undefined {
  const isLetter = id.includes('/dead-letter@');
  // It waits for a host, and can still be given up.
  if (action === 'skip' && isLetter) return undefined;
  return kind === 'outbox' && !isLetter
    ? 'the relay retries it automatically; after the last attempt it is parked, and can be retried or skipped'
    : 'hosts retry it automatically; you can skip it once it is parked';
}

/** What a filter selects, in words. */
export function selectionText({ follower, error, fingerprint, since, tenant }: StuckFilter): string {
  const parts = [
    ...(follower === undefined ? [] : [`follower ${follower}`]),
    ...(error === undefined ? [] : [`error '${error.slice(0, 200)}'`]),
    ...(fingerprint === undefined ? [] : [`fingerprint ${fingerprint}`]),
    ...(since === undefined ? [] : [`since ${since}`]),
    ...(tenant === undefined ? [] : [`tenant ${tenant}`]),
  ];
  return parts.length === 0 ? 'everything' : parts.join(', ');
}
