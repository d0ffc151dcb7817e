import { isObject } from '../../contracts/codec-scalars.js';

const maxCharacters = 8 * 1024 * 1024;
const perValue = 8;

/** About the characters of a state as JSON; Infinity for one that is no plain JSON data, or too large to be cached. */
export function sizeOf(state: unknown): number {
  const waiting = [state];
  let size = 0;
  // The bound also ends the walk through a cycle.
  while (waiting.length > 0 && size <= maxCharacters) {
    const value = waiting.pop();
    size += perValue;
    if (typeof value === 'string') size += value.length;
    else if (Array.isArray(value)) for (const item of value) waiting.push(item);
    else if (isPlainObject(value))
      for (const [key, item] of Object.entries(value)) {
        size += key.length;
        if (item !== undefined) waiting.push(item);
      }
    else if (!isPlainScalar(value)) return Infinity;
  }
  return size <= maxCharacters ? size : Infinity;
}

/** Freezes a state and returns where it is no plain JSON data, such as `/items`; undefined if it is nowhere. */
export function freezePlain(value: unknown, path = ''): string | undefined {
  if (!Array.isArray(value) && !isPlainObject(value)) return isPlainScalar(value) ? undefined : path || '/';
  if (Object.isFrozen(value)) return undefined;
  Object.freeze(value);
  for (const [key, item] of Object.entries(value)) {
    const fault =
      item === undefined && !Array.isArray(value) ? undefined : freezePlain(item, `${path}/${key}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const isPlainScalar = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
