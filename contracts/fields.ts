import * as decode from './codec-scalars.js';
import type { Fault } from './problems.js';
import {
  type Duration,
  type Int,
  isInt,
  type Json,
  type Long,
  type Timestamp,
  type Uuid,
} from './scalars.js';
import { newUuid } from './uuid.js';

/** A field is required, may be absent, or is filled in when absent. */
export type Presence = 'required' | 'optional' | 'defaulted';

/** Adds every fault it finds, as a decoder does. */
type Check = (kept: unknown, path: string, faults: Fault[]) => unknown;

/** What a field accepts, what it keeps, and how the kept value is checked. */
export interface Field<Kept = unknown, Given = never, P extends Presence = Presence> {
  readonly presence: P;
  readonly keep: (given: Given) => Kept;
  readonly check: Check;
  readonly fallback?: () => Kept;
}

export type RequiredField<Kept, Given = Kept> = Field<Kept, Given, 'required'>;
type OptionalField<Kept, Given = Kept> = Field<Kept, Given, 'optional'>;
type DefaultedField<Kept, Given = Kept> = Field<Kept, Given, 'defaulted'>;

/** Any text: characters that PostgreSQL cannot store are replaced when it is stored. */
export const text = kind<string>('a string', (value) => typeof value === 'string');
export const textOrNull = kind<string | null>(
  'a string or null',
  (value) => typeof value === 'string' || value === null,
);
export const bool = required<boolean>(decode.boolean);
export const uuid: RequiredField<Uuid> = {
  ...required(decode.uuid),
  keep: (given) => (typeof given === 'string' ? given.toLowerCase() : given),
};
export const int = required<Int>(decode.int);
export const long = required<Long>(decode.long);
export const timestamp = required<Timestamp>(decode.timestamp);
export const duration = required<Duration>(decode.duration);
/** Checks only the top level: bodies are unbounded. */
export const json = kind<Json>('a JSON value', (value) =>
  ['string', 'number', 'boolean', 'object'].includes(typeof value),
);

/** Kept as given. */
function required<T>(check: Check): RequiredField<T> {
  return { presence: 'required', keep: (given) => given, check };
}

/** One kind of value. */
export function kind<T>(expected: string, accepts: (value: unknown) => boolean): RequiredField<T> {
  return required((kept, path, faults) => {
    if (!accepts(kept)) decode.fault(faults, path, kept, `must be ${expected}`);
  });
}

/** A member of a const object. */
export function oneOf<T extends string | number>(members: Readonly<Record<string, T>>): RequiredField<T> {
  const values = new Set<unknown>(Object.values(members));
  const names = Object.entries(members).map(([name, value]) =>
    name === value ? name : `${name} (${value})`,
  );
  return kind(`one of ${names.join(', ')}`, (value) => values.has(value));
}

/** Any combination of the bits of a const object. */
export function flagsOf<T extends number>(members: Readonly<Record<string, T>>): RequiredField<T> {
  const mask = Object.values<number>(members).reduce((all, bit) => all | bit, 0);
  return kind(`a combination of ${Object.keys(members).join(', ')}`, (v) => isInt(v) && (v & ~mask) === 0);
}

export function optional<Kept, Given>(field: RequiredField<Kept, Given>): OptionalField<Kept, Given> {
  return { ...field, presence: 'optional' };
}

export function withDefault<Kept, Given>(
  field: RequiredField<Kept, Given>,
  value: NoInfer<Given>,
): DefaultedField<Kept, Given> {
  return { ...field, presence: 'defaulted', fallback: () => field.keep(value) };
}

/** Null when absent. */
export function nullable<Kept, Given>(
  field: RequiredField<Kept, Given>,
): DefaultedField<Kept | null, Given | null> {
  return {
    presence: 'defaulted',
    keep: (given) => (given === null ? null : field.keep(given)),
    check: (kept, path, faults) => kept === null || field.check(kept, path, faults),
    fallback: () => null,
  };
}

/** Generates an id when none is given. */
export const generatedId: DefaultedField<Uuid> = {
  ...uuid,
  presence: 'defaulted',
  fallback: () => newUuid(),
};
