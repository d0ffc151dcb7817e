import {
  count,
  fault,
  isFiniteNumber,
  isObject,
  isUnstorable,
  type JsonObject,
  text,
  unstorable,
} from './codec-scalars.js';
import { Faults, StrictFaults } from './faults.js';
import { flattenPath, pointerStep } from './json-pointer.js';
import { type Fault, Problem } from './problems.js';
import type { Json } from './scalars.js';
import type { WrittenAt } from './number-source-text.js';

export * from './encoding.js';
export * from './redaction.js';
export {
  boolean,
  duration,
  int,
  long,
  number,
  type NumberLimits,
  oneOf,
  text,
  type TextLimits,
  timestamp,
  uuid,
} from './codec-scalars.js';
export { decimal, type DecimalLimits } from './decimal.js';
export { StrictFaults };
export type { Fault, Json, JsonObject, WrittenAt };

/** Turns a JSON value into a new `T`, or adds every fault it finds. */
export type Decode<T> = (value: unknown, path: string, faults: Fault[]) => T;

export interface ArrayLimits {
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Writable for decoders, which fill it in; all other code only reads. */
export type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Decodes a whole body; all its faults are reported at once. */
export function decodeBody<T>(decode: Decode<T>, body: unknown, writtenAt?: WrittenAt): T {
  return decodeInto(new Faults(writtenAt), decode, body);
}

/** Decodes a whole body and rejects properties that its types do not declare. */
export function decodeStrictly<T>(decode: Decode<T>, body: unknown, writtenAt?: WrittenAt): T {
  return decodeInto(new StrictFaults(writtenAt), decode, body);
}

function decodeInto<T>(faults: Faults, decode: Decode<T>, body: unknown): T {
  const decoded = decode(body, '', faults);
  if (faults.length === 0) return decoded;
  const { found, listed } = faults;
  const values = found === 1 ? 'One value is not valid' : `${found} values are not valid`;
  const detail =
    found === listed.errors.length
      ? `${values}.`
      : `${values}; the first ${listed.errors.length} are listed.`;
  throw new Problem('invalid-command', { detail, ...listed });
}

/** The value as an object; adds a fault and returns undefined when it is not an object. */
export function object(
  value: unknown,
  path: string,
  faults: Fault[],
  declared?: ReadonlySet<string>,
): JsonObject | undefined {
  if (!isObject(value)) {
    fault(faults, path, value, 'must be an object');
    return undefined;
  }
  if (declared !== undefined && faults instanceof StrictFaults) refuseOthers(value, path, faults, declared);
  return value;
}

/** Ignores the members that every object inherits. */
export const own = (from: JsonObject, name: string): unknown =>
  Object.hasOwn(from, name) ? from[name] : undefined;

/** A decoder returns this along with a fault; nothing reads it. */
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
  const at = flattenPath(path);
  return value.map((element, index) => item(element, `${at}/${index}`, faults));
}

export function map<T>(value: unknown, path: string, faults: Fault[], item: Decode<T>): Record<string, T> {
  const from = object(value, path, faults);
  const to: Record<string, T> = {};
  if (from === undefined) return to;
  for (const key of Object.keys(from)) {
    const at = `${path}/${pointerStep(key)}`;
    // Assigning it would change the prototype instead.
    if (key === '__proto__') faults.push({ path: at, message: 'must have another name' });
    else to[key] = item(from[key], at, faults);
    if (isUnstorable(key)) faults.push({ path: at, message: `must not contain ${unstorable} in its name` });
  }
  return to;
}

/** A deep copy of any JSON value. */
export function json(value: unknown, path: string, faults: Fault[]): Json {
  if (typeof value === 'string') return text(value, path, faults);
  if (value === null || typeof value === 'boolean' || isFiniteNumber(value)) return value;
  if (Array.isArray(value)) return array(value, path, faults, json);
  if (isObject(value)) return map(value, path, faults, json);
  fault(faults, path, value, 'must be a JSON value');
  return null;
}

/** Whether an optional member was given. Strict decoding also treats null as absent, as GraphQL clients send it. */
export const isGiven = (value: unknown, faults: Fault[]): boolean =>
  value !== undefined && (value !== null || !(faults instanceof StrictFaults));

export const optional = <T>(
  value: unknown,
  path: string,
  faults: Fault[],
  decode: Decode<T>,
): T | undefined => (value === undefined ? undefined : decode(value, path, faults));

function refuseOthers(value: JsonObject, path: string, faults: Fault[], declared: ReadonlySet<string>): void {
  for (const key of Object.keys(value))
    if (!declared.has(key)) faults.push({ path: `${path}/${pointerStep(key)}`, message: 'is not known' });
}
