import { array, object } from './codec.js';
import { isObject, type JsonObject } from './codec-scalars.js';
import type { Field, Presence, RequiredField } from './fields.js';
import { pointerStep } from './json-pointer.js';
import type { Fault } from './problems.js';

/** Fields by name, in the order in which they are kept. */
export type Fields = Readonly<Record<string, Field>>;

/** The input that fills the fields. */
export type Init<F extends Fields> = Flat<
  { readonly [K in keyof F as KeyWithPresence<F, K, 'required'>]: InputOf<F[K]> } & {
    readonly [K in keyof F as KeyWithPresence<F, K, 'optional' | 'defaulted'>]?: InputOf<F[K]> | undefined;
  }
>;

/** The members once the fields are filled. */
export type Values<F extends Fields> = Flat<
  { readonly [K in keyof F as KeyWithPresence<F, K, 'required' | 'defaulted'>]: ValueOf<F[K]> } & {
    readonly [K in keyof F as KeyWithPresence<F, K, 'optional'>]?: ValueOf<F[K]>;
  }
>;

export function listOf<Kept, Given>(
  item: RequiredField<Kept, Given>,
): RequiredField<readonly Kept[], readonly Given[]> {
  return {
    presence: 'required',
    keep: whereValid(Array.isArray, (given) => given.map((value) => item.keep(value))),
    check: (kept, path, faults) => array(kept, path, faults, item.check),
  };
}

/** Unique items; accepts a list or a Set and keeps a list. */
export function setOf<Kept, Given>(
  item: RequiredField<Kept, Given>,
): RequiredField<readonly Kept[], readonly Given[] | ReadonlySet<Given>> {
  return {
    ...listOf(item),
    keep: whereValid(
      (given) => Array.isArray(given) || given instanceof Set,
      (given) => [...new Set([...given].map((value) => item.keep(value)))],
    ),
  };
}

/** Values of one kind, under any names. */
export function mapOf<Kept, Given>(
  item: RequiredField<Kept, Given>,
): RequiredField<Readonly<Record<string, Kept>>, Readonly<Record<string, Given>>> {
  return {
    presence: 'required',
    keep: whereValid(isObject, (given) =>
      Object.fromEntries(Object.entries(given).map(([name, value]) => [name, item.keep(value)])),
    ),
    check: (kept, path, faults) => {
      for (const [name, value] of Object.entries(object(kept, path, faults) ?? {}))
        item.check(value, `${path}/${pointerStep(name)}`, faults);
    },
  };
}

/** An object with fields of its own. */
export function group<F extends Fields>(fields: F): RequiredField<Values<F>, Init<F>> {
  const entries = entriesOf(fields);
  return {
    presence: 'required',
    keep: whereValid(isObject, (given) => fill({}, entries, given) as Values<F>),
    check: (kept, path, faults) => {
      const members = object(kept, path, faults);
      if (members !== undefined) checkAll(members, entries, path, faults);
    },
  };
}

export const entriesOf = (fields: Fields): Entries =>
  Object.entries(fields).map(([name, field]) => [name, field, `/${name}`]);

/** Sets the fields in their declared order; leaves out a field that is absent and has no default. */
export function fill<T extends object>(target: T, entries: Entries, given: object): T {
  for (const [name, field] of entries) {
    const value = valueFor(field as Field<unknown, unknown>, read(given, name));
    if (value !== undefined) (target as Record<string, unknown>)[name] = value;
  }
  return target;
}

/** Adds every fault of an object, field by field. */
export function checkAll(members: object, entries: Entries, path: string, faults: Fault[]): void {
  for (const [name, { presence, check }, step] of entries) {
    const value = read(members, name);
    if (value !== undefined || presence !== 'optional') check(value, path + step, faults);
  }
}

function valueFor(field: Field<unknown, unknown>, given: unknown): unknown {
  if (given === undefined) return field.fallback?.();
  if (given === null && field.presence !== 'required') return field.fallback?.();
  return field.keep(given);
}

/** Keeps a value of the wrong kind as given, so that `faults` can report it. */
const whereValid =
  <Given, Kept>(expected: (given: unknown) => boolean, keep: (given: Given) => Kept) =>
  (given: Given): Kept =>
    expected(given) ? keep(given) : (given as unknown as Kept);

const read = (from: object, name: string): unknown => (from as JsonObject)[name];

type Entries = readonly (readonly [name: string, field: Field, step: string])[];
type KeyWithPresence<F extends Fields, K extends keyof F, P extends Presence> = F[K]['presence'] extends P
  ? K
  : never;
type ValueOf<F extends Field> = ReturnType<F['keep']>;
type InputOf<F extends Field> = Parameters<F['keep']>[0];
// Inferring first makes editors show the members instead of the alias.
type Flat<T> = T extends infer U ? { [K in keyof U]: U[K] } : never;
