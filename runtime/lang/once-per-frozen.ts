/**
 * A function that computes once per frozen object. An object that can change is computed each time, and so are the many
 * that serve one request only: they would make a weak map slow.
 */
export function oncePerFrozen<K extends object, V extends object | string>(
  compute: (key: K) => V,
): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = compute(key);
    if (Object.isFrozen(key)) known.set(key, value);
    return value;
  };
}
