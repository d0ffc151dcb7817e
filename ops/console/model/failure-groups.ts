import type { StreamRecord } from './system-records.js';

/** `refused`: an answer to the caller, such as 404 or 409. */
export type FailureKind = 'crashed' | 'refused' | 'recovered';

/** A recorded failure, with what it means. */
export interface FailureItem extends StreamRecord {
  readonly kind: FailureKind;
  /** The code, or the name of the error. */
  readonly code: string;
}

/** The same failure, however often and on however many hosts. */
interface FailureGroup {
  readonly kind: FailureKind;
  readonly eventType: string;
  readonly code: string;
  readonly count: number;
  readonly hosts: readonly string[];
  readonly latest: FailureItem;
}

const kinds: readonly FailureKind[] = ['crashed', 'recovered', 'refused'];

/** Errors of the services first; within a kind, the latest first. The list is newest first. */
export function groupFailures(list: readonly FailureItem[]): readonly FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const one of list) {
    const [what = ''] = one.subject.split(':');
    const key = JSON.stringify([one.kind, one.eventType, what, one.code]);
    const known = groups.get(key);
    const { kind, eventType, code } = one;
    groups.set(key, {
      kind,
      eventType,
      code,
      count: (known?.count ?? 0) + 1,
      hosts: [...new Set([...(known?.hosts ?? []), one.host])],
      latest: known?.latest ?? one,
    });
  }
  return [...groups.values()].toSorted((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind));
}
