import { Problem } from '../../../../contracts/problems.js';
import type { FailureItem, FailureKind } from '../../model/failure-groups.js';
import { listedRecord, type ReceivedRecord } from './received-record.js';

/** A received failure in the list. */
export function failureItem(record: ReceivedRecord): FailureItem {
  const { data } = record;
  const error = (data['error'] ?? {}) as { readonly name?: unknown; readonly code?: unknown };
  const code = textOf(error.code) ?? textOf(error.name) ?? '';
  return { ...listedRecord(record), code, kind: kindOf(data['recovered'] === true, error.name, code) };
}

/** A service has its own codes, for its own refusals; the codes of the runtime have a status. */
function kindOf(isRecovered: boolean, name: unknown, code: string): FailureKind {
  if (isRecovered) return 'recovered';
  if (name !== 'Problem') return 'crashed';
  const { status, title } = new Problem(code);
  const isOfRuntime = title !== code;
  return isOfRuntime && status >= 500 ? 'crashed' : 'refused';
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, 100) : undefined;
