import { type FormatName, formats } from './formats.js';
import type { Fault } from './problems.js';
import {
  type Duration,
  type Int,
  isDuration,
  isInt,
  isLong,
  isTimestamp,
  isUuid,
  type Long,
  type Timestamp,
  type Uuid,
} from './scalars.js';

export interface TextLimits {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: RegExp;
  readonly format?: FormatName;
}

export interface NumberLimits {
  readonly minimum?: number;
  readonly maximum?: number;
}

export function text(value: unknown, path: string, faults: Fault[], limits?: TextLimits): string {
  if (typeof value !== 'string') {
    fault(faults, path, value, 'must be a string');
    return '';
  }
  if (isUnstorable(value)) faults.push({ path, message: `must not contain ${unstorable}` });
  if (limits !== undefined) checkText(value, path, faults, limits);
  return value;
}

export function uuid(value: unknown, path: string, faults: Fault[]): Uuid {
  if (isUuid(value)) return value;
  const lower = typeof value === 'string' ? value.toLowerCase() : value;
  if (isUuid(lower)) return lower;
  fault(faults, path, value, 'must be a UUID');
  return '';
}

export function int(value: unknown, path: string, faults: Fault[], limits?: NumberLimits): Int {
  if (isInt(value)) return checkRange(value, path, faults, limits);
  fault(faults, path, value, 'must be a 32-bit integer');
  return 0;
}

export function long(value: unknown, path: string, faults: Fault[], limits?: NumberLimits): Long {
  if (isLong(value)) return checkRange(value, path, faults, limits);
  fault(faults, path, value, 'must be an integer');
  return 0;
}

export function number(value: unknown, path: string, faults: Fault[], limits?: NumberLimits): number {
  if (isFiniteNumber(value)) return checkRange(value, path, faults, limits);
  fault(faults, path, value, 'must be a number');
  return 0;
}

export function timestamp(value: unknown, path: string, faults: Fault[]): Timestamp {
  if (isTimestamp(value)) return value;
  fault(faults, path, value, 'must be an ISO 8601 timestamp with offset');
  return '';
}

export function duration(value: unknown, path: string, faults: Fault[]): Duration {
  if (isDuration(value)) return value;
  fault(faults, path, value, 'must be an ISO 8601 duration');
  return '';
}

export function boolean(value: unknown, path: string, faults: Fault[]): boolean;
export function boolean<T extends boolean>(value: unknown, path: string, faults: Fault[], only: T): T;
export function boolean(value: unknown, path: string, faults: Fault[], only?: boolean): boolean {
  if (typeof value === 'boolean' && (only === undefined || value === only)) return value;
  fault(faults, path, value, `must be ${String(only ?? 'true or false')}`);
  return false;
}

/** One of the values of a string union. */
export function oneOf(value: unknown, path: string, faults: Fault[], values: readonly string[]): string {
  if (typeof value === 'string' && values.includes(value)) return value;
  fault(faults, path, value, values.length === 1 ? `must be ${values[0]}` : `must be one of ${list(values)}`);
  return '';
}

export function fault(faults: Fault[], path: string, value: unknown, message: string): void {
  faults.push({ path, message: value === undefined ? 'is required' : message });
}

export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** What PostgreSQL cannot store as text. */
export const unstorable = 'U+0000 or an unpaired surrogate';
export const isUnstorable = (value: string): boolean =>
  suspicious.test(value) && (value.includes('\0') || unpaired.test(value));

export const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value);

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const suspicious = /[\0\ud800-\udfff]/;
const unpaired = /\p{Surrogate}/u;
const pairs = /[\ud800-\udbff][\udc00-\udfff]/g;

const list = (values: readonly string[]): string => values.join(', ');

function checkText(value: string, path: string, faults: Fault[], limits: TextLimits): void {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = limits;
  const { length: units } = value;
  // It is within the limits whatever the number of surrogate pairs, so they need not be counted.
  const length = units >= 2 * minLength && units <= maxLength ? units : lengthOf(value);
  if (length < minLength)
    faults.push({ path, message: `must have at least ${count(minLength, 'character')}` });
  if (length > maxLength) {
    faults.push({ path, message: `must have at most ${count(maxLength, 'character')}` });
    // Some patterns take exponential time: never match one against a text that is too long.
    return;
  }
  if (format !== undefined && !formats[format].is(value))
    faults.push({ path, message: `must be ${formats[format].description}` });
  if (pattern !== undefined && !pattern.test(value))
    faults.push({ path, message: `must match ${pattern.source}` });
}

/** Counts characters as JSON Schema does: 🫖 is one. */
const lengthOf = (value: string): number =>
  suspicious.test(value) ? value.length - (value.match(pairs)?.length ?? 0) : value.length;

function checkRange<T extends number>(value: T, path: string, faults: Fault[], limits?: NumberLimits): T {
  if (limits === undefined) return value;
  const { minimum, maximum } = limits;
  if (minimum !== undefined && value < minimum) faults.push({ path, message: `must be at least ${minimum}` });
  if (maximum !== undefined && value > maximum) faults.push({ path, message: `must be at most ${maximum}` });
  return value;
}
