/** Reads by key; what is asked for in one turn of the event loop is read together. */
export function readTogether<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let next: { readonly keys: Set<Key>; readonly values: Promise<ReadonlyMap<Key, Value>> } | undefined;
  const begin = () => {
    const keys = new Set<Key>();
    const values = new Promise(setImmediate).then(() => {
      next = undefined;
      return read([...keys]);
    });
    return { keys, values };
  };
  return async (key) => {
    const { keys, values } = (next ??= begin());
    keys.add(key);
    return (await values).get(key);
  };
}
