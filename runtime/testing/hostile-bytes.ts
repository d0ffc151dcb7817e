/** Lists of msgpack that hold the one before twice, by reference: 2 ** levels values in a few bytes for each level. */
export function doubling(levels: number): Uint8Array {
  const named = (id: number) => [0xd6, 0x69, 0, 0, 0, id];
  const again = (id: number) => [0xd6, 0x70, 0, 0, 0, id];
  const rows = Array.from({ length: levels }, (_, n) =>
    n === 0 ? [...named(1), 0x92, 0xc0, 0xc0] : [...named(n + 1), 0x92, ...again(n), ...again(n)],
  );
  return Uint8Array.from([0xdc, 0, levels, ...rows.flat()]);
}
