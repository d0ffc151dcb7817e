import { type Fault, Problem } from './problems.js';
import {
  type Decimal,
  type Int,
  isDecimal,
  isInt,
  isLong,
  isTimestamp,
  isUuid,
  type Long,
  type Timestamp,
  type Uuid,
} from './scalars.js';

/** Turns a JSON value into a fresh `T`, or adds every fault it finds. */
export type Decode<T> = (value: unknown, path: string, faults: Fault[]) => T;

export interface TextLimits {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: RegExp;
}

export interface NumberLimits {
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface ArrayLimits {
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Decodes a whole body; all its faults are told at once. */
export function decodeBody<T>(decode: Decode<T>, body: unknown): T {
  const faults: Fault[] = [];
  const decoded = decode(body, '', faults);
  if (faults.length === 0) return decoded;
  const detail = faults.length === 1 ? 'One value is not valid.' : `${faults.length} values are not valid.`;
  throw new Problem('invalid-command', { detail, errors: faults });
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** The value as an object; undefined, with a fault, when it is none. */
export function object(value: unknown, path: string, faults: Fault[]): JsonObject | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  fault(faults, path, value, 'must be an object');
  return undefined;
}

/** What a decoder answers beside its faults: nobody will look at it. */
export const invalid = undefined as never;

export function array<T>(
  value: unknown,
  path: string,
  faults: Fault[],
  item: Decode<T>,
  limits: ArrayLimits = {},
): T[] {
  if (!Array.isArray(value)) {
    fault(faults, path, value, 'must be an array');
    return [];
  }
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = limits;
  if (value.length < minItems)
    faults.push({ path, message: `must have at least ${count(minItems, 'item')}` });
  if (value.length > maxItems) faults.push({ path, message: `must have at most ${count(maxItems, 'item')}` });
  return value.map((element, index) => item(element, `${path}/${index}`, faults));
}

export const optional = <T>(
  value: unknown,
  path: string,
  faults: Fault[],
  decode: Decode<T>,
): T | undefined => (value === undefined ? undefined : decode(value, path, faults));

export function text(value: unknown, path: string, faults: Fault[], limits: TextLimits = {}): string {
  if (typeof value !== 'string') {
    fault(faults, path, value, 'must be a string');
    return '';
  }
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = limits;
  if (isUnstorable(value)) faults.push({ path, message: 'must not contain U+0000 or an unpaired surrogate' });
  if (value.length < minLength)
    faults.push({ path, message: `must have at least ${count(minLength, 'character')}` });
  if (value.length > maxLength)
    faults.push({ path, message: `must have at most ${count(maxLength, 'character')}` });
  if (pattern !== undefined && !pattern.test(value))
    faults.push({ path, message: `must match ${pattern.source}` });
  return value;
}

export function uuid(value: unknown, path: string, faults: Fault[]): Uuid {
  const lower = typeof value === 'string' ? value.toLowerCase() : value;
  if (isUuid(lower)) return lower;
  fault(faults, path, value, 'must be a UUID');
  return '';
}

export function int(value: unknown, path: string, faults: Fault[], limits: NumberLimits = {}): Int {
  if (isInt(value)) return within(value, path, faults, limits);
  fault(faults, path, value, 'must be a 32-bit integer');
  return 0;
}

export function long(value: unknown, path: string, faults: Fault[], limits: NumberLimits = {}): Long {
  if (isLong(value)) return within(value, path, faults, limits);
  fault(faults, path, value, 'must be an integer');
  return 0;
}

/** Taken as a number or as text, kept as text; exponents are refused in both. */
export function decimal(value: unknown, path: string, faults: Fault[], limits: NumberLimits = {}): Decimal {
  const digits = typeof value === 'number' ? String(value) : value;
  if (isDecimal(digits)) {
    within(Number(digits), path, faults, limits);
    return digits;
  }
  fault(faults, path, value, 'must be a decimal number, or its digits as a string');
  return '0';
}

export function timestamp(value: unknown, path: string, faults: Fault[]): Timestamp {
  if (isTimestamp(value)) return value;
  fault(faults, path, value, 'must be an ISO 8601 timestamp with offset');
  return '';
}

export function boolean(value: unknown, path: string, faults: Fault[]): boolean {
  if (typeof value === 'boolean') return value;
  fault(faults, path, value, 'must be true or false');
  return false;
}

function within<T extends number>(
  value: T,
  path: string,
  faults: Fault[],
  { minimum, maximum }: NumberLimits,
): T {
  if (minimum !== undefined && value < minimum) faults.push({ path, message: `must be at least ${minimum}` });
  if (maximum !== undefined && value > maximum) faults.push({ path, message: `must be at most ${maximum}` });
  return value;
}

function fault(faults: Fault[], path: string, value: unknown, message: string): void {
  faults.push({ path, message: value === undefined ? 'is required' : message });
}

const isUnstorable = (value: string): boolean => value.includes('\0') || /\p{Surrogate}/u.test(value);

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
