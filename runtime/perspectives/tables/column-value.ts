import type { ColumnType } from '../../../contracts/perspective.js';
import { Problem } from '../../../contracts/problems.js';
import { isInt, isTimestamp, isUuid } from '../../../contracts/scalars.js';
import type { TableColumn } from './perspective-table.js';
import { isStorable } from '../../lang/storable-text.js';

type Value = string | number | boolean | null;

// An index entry of PostgreSQL holds at most 2,700 bytes: the tenant, the value and the key of the row.
const maxTextLength = 2_000;
const maxEntryLength = 2_600;

/** The value of a model's column; a value of another type would fail the whole batch, so it fails here. */
export function columnValue(column: TableColumn, model: unknown): Value {
  const { name, type } = column;
  const value = column.of(model);
  if (value === undefined || value === null) return null;
  if (isScalar(value) && accepts[type](value)) return value;
  throw new Problem('invalid-model', {
    detail: `Column '${name}' is ${type} and cannot hold ${kindOf(value)}.`,
  });
}

/** With a long key or tenant, a text must be shorter to fit the index of its column. */
export function mustFitEntry({ name }: TableColumn, value: Value, key: string, tenant: string): void {
  // No character has more than three bytes.
  if (typeof value !== 'string' || maxTextLength + (key.length + tenant.length) * 3 <= maxEntryLength) return;
  if (Buffer.byteLength(value + key + tenant) <= maxEntryLength) return;
  throw new Problem('invalid-model', {
    detail: `Column '${name}' holds ${kindOf(value)}, which is too long together with the key of its row and its tenant.`,
  });
}

/** Describes a value without revealing it: it may be a secret. */
export function kindOf(value: unknown): string {
  if (typeof value === 'string') return `a text of ${value.length} characters`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return value === null || value === undefined ? String(value) : `a ${typeof value}`;
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const isWhole = (value: Value): boolean =>
  Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d{1,18}$/.test(value));

const accepts: Readonly<Record<ColumnType, (value: Value) => boolean>> = {
  text: (value) => Buffer.byteLength(String(value)) <= maxTextLength && isStorable(JSON.stringify(value)),
  uuid: isUuid,
  integer: (value) => isInt(typeof value === 'string' && isWhole(value) ? Number(value) : value),
  bigint: isWhole,
  numeric: (value) =>
    Number.isFinite(value) || (typeof value === 'string' && /^-?\d{1,1000}(\.\d{1,1000})?$/.test(value)),
  boolean: (value) => typeof value === 'boolean',
  timestamptz: isStorableTimestamp,
};

/** PostgreSQL has neither a year 0 nor offsets of sixteen hours. */
export function isStorableTimestamp(value: unknown): boolean {
  return isTimestamp(value) && !value.startsWith('0000') && !/[+-](?:1[6-9]|2\d):\d\d$/.test(value);
}
