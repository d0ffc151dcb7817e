import type { Long } from '../../contracts/scalars.js';
import type { AsideStep } from '../../contracts/unit-lists.js';

/** What a unit says about its cursor. */
export interface Marks {
  readonly handled?: { readonly position: Long; readonly key: string };
  readonly aside?: Omit<AsideStep, 'cursor'>;
}

/** What the runner of a cursor does next. */
export type LineEffect<Item> =
  /** Handles an event; without an item it has to be read. Answered by `ran` or `failed`. */
  | { readonly do: 'run'; readonly position: Long; readonly key: string; readonly item: Item | undefined }
  /** Commits what `run` staged, with these marks. Answered by `committed` or `conflicted`. */
  | { readonly do: 'commit'; readonly position: Long; readonly key: string; readonly marks: Marks }
  /** Commits these marks alone. Answered by `committed`. */
  | { readonly do: 'mark'; readonly position: Long; readonly key: string; readonly marks: Marks }
  /** Looks for later events of keys that are aside, each with the event it is at. Answered by `found` for each. */
  | { readonly do: 'find'; readonly after: ReadonlyMap<string, Long>; readonly upTo: Long }
  /** Answered by `due`. */
  | { readonly do: 'wait'; readonly key: string; readonly ms: number };

export interface Failure {
  readonly error: string;
  /** Trying again would not help. */
  readonly park?: boolean;
}

const firstRetryMs = 10_000;
const maxRetryMs = 300_000;

/** 10 s, 20 s, … 5 min. */
export const retryDelay = (attempts: number): number =>
  attempts === 0 ? 0 : Math.min(firstRetryMs * 2 ** (attempts - 1), maxRetryMs);

/** What becomes of a key that leaves the line, or fails again aside. */
export function asideOutcome(
  attempts: number,
  limit: number,
  failure: Failure | undefined,
): Pick<AsideStep, 'state' | 'attempts' | 'retryInMs' | 'error'> {
  const parked = failure !== undefined && (failure.park === true || attempts >= limit);
  return {
    state: parked ? 'parked' : 'retrying',
    attempts,
    retryInMs: parked ? 0 : retryDelay(attempts),
    error: failure?.error ?? null,
  };
}
