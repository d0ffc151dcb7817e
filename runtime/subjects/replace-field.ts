import { isObject } from '../../contracts/codec-scalars.js';
import type { SealedField } from '../../contracts/sealing.js';

/** Returns what a value is replaced by; `owner` is the object that it is a member of. */
type Replace = (value: unknown, path: string, owner: unknown) => unknown;

/** A copy of the payload with the values of one field replaced; what is absent stays absent. */
export const replaceField = (payload: unknown, { path }: SealedField, replace: Replace): unknown =>
  replaceAt(payload, path, '', undefined, replace);

/** As deep as the declared path, whatever the payload holds. */
function replaceAt(
  value: unknown,
  [step, ...rest]: SealedField['path'],
  at: string,
  owner: unknown,
  replace: Replace,
): unknown {
  if (step === undefined) return replace(value, at, owner);
  const below = (key: string | number, item: unknown) =>
    replaceAt(item, rest, `${at}/${stepOf(key)}`, value, replace);
  if (step === null) {
    if (Array.isArray(value)) return value.map((item, index) => below(index, item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, below(key, item)]));
  }
  if (!isObject(value) || !Object.hasOwn(value, step)) return value;
  return { ...value, [step]: below(step, value[step]) };
}

/** Never shortened: each value has a path of its own. */
const stepOf = (key: string | number): string => String(key).replaceAll('~', '~0').replaceAll('/', '~1');
