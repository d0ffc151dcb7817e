import type { Fault } from './problems.js';
import {
  isDuration,
  isInt,
  isLong,
  isTimestamp,
  isUuid,
  type Duration,
  type Int,
  type Json,
  type Long,
  type Timestamp,
  type Uuid,
} from './scalars.js';
import { newUuid } from './uuid.js';

/** A field must be given, may be absent, or is filled in when absent. */
export type Presence = 'required' | 'optional' | 'defaulted';

/** What a field takes, what it keeps of it, and what can be wrong with what it kept. */
export interface Field<Kept = unknown, Given = never, P extends Presence = Presence> {
  readonly presence: P;
  readonly keep: (given: Given) => Kept;
  readonly faults: (kept: unknown, path: string) => readonly Fault[];
  readonly fallback?: () => Kept;
}

export type RequiredField<Kept, Given = Kept> = Field<Kept, Given, 'required'>;
export type OptionalField<Kept, Given = Kept> = Field<Kept, Given, 'optional'>;
export type DefaultedField<Kept, Given = Kept> = Field<Kept, Given, 'defaulted'>;

export const text = kind<string>('a string', (value) => typeof value === 'string');
export const textOrNull = kind<string | null>(
  'a string or null',
  (value) => typeof value === 'string' || value === null,
);
export const bool = kind<boolean>('true or false', (value) => typeof value === 'boolean');
export const uuid: RequiredField<Uuid> = {
  ...kind('a UUID', isUuid),
  keep: (given) => (typeof given === 'string' ? given.toLowerCase() : given),
};
export const int = kind<Int>('a 32-bit integer', isInt);
export const long = kind<Long>('an integer', isLong);
export const timestamp = kind<Timestamp>('an ISO 8601 timestamp with offset', isTimestamp);
export const duration = kind<Duration>('an ISO 8601 duration', isDuration);
/** Looks no deeper than the surface: bodies are unbounded. */
export const json = kind<Json>('a JSON value', (value) =>
  ['string', 'number', 'boolean', 'object'].includes(typeof value),
);

/** One kind of value, kept as it is given. */
export function kind<T>(expected: string, accepts: (value: unknown) => boolean): RequiredField<T> {
  return {
    presence: 'required',
    keep: (given) => given,
    faults: (kept, path) => (accepts(kept) ? [] : [{ path, message: `must be ${expected}` }]),
  };
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
    faults: (kept, path) => (kept === null ? [] : field.faults(kept, path)),
    fallback: () => null,
  };
}

/** A new id for every record that is given none. */
export const generatedId: DefaultedField<Uuid> = {
  ...uuid,
  presence: 'defaulted',
  fallback: () => newUuid(),
};
