const deepest = 64;

/** Every value takes at least a character of what is stored, and a process may store 64 KiB. */
const most = 65_536;

/** Where and why a value would not come back from JSON as it is; undefined when it would. */
export function jsonFault(value: unknown, path: string): string | undefined {
  let seen = 0;
  const faultAt = (at: unknown, where: string, depth: number): string | undefined => {
    seen += 1;
    if (seen > most) return `${path} holds more than ${most} values`;
    if (at === null || typeof at === 'string' || typeof at === 'boolean') return undefined;
    if (typeof at === 'number') return Number.isFinite(at) ? undefined : `${where} is ${at}`;
    if (typeof at !== 'object') return `${where} is ${kindOf(at)}`;
    if (depth === deepest) return `${where} is nested more than ${deepest} levels deep, or contains itself`;
    if (Array.isArray(at)) return firstFault(at.keys(), (i) => faultAt(at[i], `${where}[${i}]`, depth + 1));
    const prototype: unknown = Object.getPrototypeOf(at);
    if (prototype !== Object.prototype && prototype !== null) return `${where} is ${kindOf(at)}`;
    // A property that is undefined is left out, which reads the same.
    return firstFault(Object.entries(at), ([name, item]) =>
      item === undefined ? undefined : faultAt(item, `${where}.${name}`, depth + 1),
    );
  };
  return faultAt(value, path, 0);
}

function firstFault<T>(items: Iterable<T>, faultOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = faultOf(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'undefined';
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`;
  const type: unknown = (value as { readonly constructor?: unknown }).constructor;
  return typeof type === 'function' && type.name !== '' ? `an instance of ${type.name}` : 'no plain object';
}
