import type { RequestItem } from './requests.js';

/** Requests that were answered with the same status and code. */
export interface FailedRequests {
  readonly status: number;
  readonly code: string;
  readonly count: number;
  readonly commands: readonly string[];
  /** When the latest began. */
  readonly latest: string;
}

/** Errors of the service first, then the most frequent. */
export function byCode(requests: readonly RequestItem[]): readonly FailedRequests[] {
  const groups = new Map<string, FailedRequests>();
  for (const { status, error = '', command, startedAt } of requests) {
    if (status === undefined || status < 400) continue;
    const key = `${status} ${error}`;
    const known = groups.get(key);
    groups.set(key, {
      status,
      code: error,
      count: (known?.count ?? 0) + 1,
      commands: [...new Set([...(known?.commands ?? []), command])],
      latest: known === undefined || startedAt > known.latest ? startedAt : known.latest,
    });
  }
  const isCrash = ({ status }: FailedRequests): number => (status >= 500 ? 0 : 1);
  return [...groups.values()].toSorted(
    (one, other) => isCrash(one) - isCrash(other) || other.count - one.count,
  );
}
