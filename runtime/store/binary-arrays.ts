/** PostgreSQL's binary form of one-dimensional arrays, and of a row of them: a third faster than literals, and nothing to escape. */

const epoch2000 = 946_684_800_000;

export const ints = (list: readonly number[]): Buffer =>
  fixed(23, 4, list, (buffer, value, at) => buffer.writeInt32BE(value, at));

export const smallints = (list: readonly (number | null)[]): Buffer =>
  fixed(21, 2, list, (buffer, value, at) => buffer.writeInt16BE(value, at));

export const bigints = (list: readonly number[]): Buffer => fixed(20, 8, list, writeLong);

export const booleans = (list: readonly boolean[]): Buffer =>
  fixed(16, 1, list, (buffer, value, at) => buffer.writeInt8(value ? 1 : 0, at));

export const uuids = (list: readonly (string | null)[]): Buffer => fixed(2950, 16, list, writeUuid);

/** Milliseconds since 1970 as timestamptz. */
export const timestamps = (list: readonly (number | null)[]): Buffer =>
  fixed(1184, 8, list, (buffer, value, at) =>
    buffer.writeBigInt64BE(BigInt(Math.round(value - epoch2000)) * 1000n, at),
  );

/** Microseconds since 1970 as timestamptz. */
export const micros = (list: readonly (bigint | null)[]): Buffer =>
  fixed(1184, 8, list, (buffer, value, at) => buffer.writeBigInt64BE(value - BigInt(epoch2000) * 1000n, at));

export const texts = (list: readonly (string | null)[]): Buffer => strings(25, list);
export const jsons = (list: readonly (string | null)[]): Buffer => strings(114, list);

export function bytes(list: readonly (Uint8Array | null)[]): Buffer {
  let size = 0;
  for (const value of list) size += 4 + (value?.length ?? 0);
  const buffer = open(17, list.length, size);
  let at = headerSize;
  for (const value of list) {
    at = buffer.writeInt32BE(value === null ? -1 : value.length, at);
    if (value === null) continue;
    buffer.set(value, at);
    at += value.length;
  }
  return buffer;
}

function strings(type: number, list: readonly (string | null)[]): Buffer {
  let size = 0;
  for (const value of list) size += 4 + (value === null ? 0 : Buffer.byteLength(value));
  const buffer = open(type, list.length, size);
  let at = headerSize;
  for (const value of list) {
    if (value === null) {
      at = buffer.writeInt32BE(-1, at);
      continue;
    }
    const length = buffer.write(value, at + 4);
    buffer.writeInt32BE(length, at);
    at += 4 + length;
  }
  return buffer;
}

function fixed<T>(
  type: number,
  width: number,
  list: readonly (T | null)[],
  write: (buffer: Buffer, value: T, at: number) => void,
): Buffer {
  const buffer = open(type, list.length, list.length * (4 + width));
  let at = headerSize;
  for (const value of list) {
    at = buffer.writeInt32BE(value === null ? -1 : width, at);
    if (value === null) continue;
    write(buffer, value, at);
    at += width;
  }
  return at === buffer.length ? buffer : buffer.subarray(0, at);
}

const headerSize = 20;

/** Most arrays of most flushes are empty. */
const empty: Record<number, Buffer> = {};

function emptyOf(type: number): Buffer {
  const array = Buffer.alloc(12);
  array.writeInt32BE(type, 8);
  return array;
}

function open(type: number, length: number, size: number): Buffer {
  if (length === 0) return (empty[type] ??= emptyOf(type));
  const buffer = Buffer.allocUnsafe(headerSize + size);
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(1, 4);
  buffer.writeInt32BE(type, 8);
  buffer.writeInt32BE(length, 12);
  buffer.writeInt32BE(1, 16);
  return buffer;
}

const nibbles = new Uint8Array(256);
for (let value = 0; value < 16; value++) {
  nibbles[value.toString(16).charCodeAt(0)] = value;
  nibbles[value.toString(16).toUpperCase().charCodeAt(0)] = value;
}

/** Digit by digit: a native call would cost more than all of them. */
export function writeUuid(buffer: Buffer, value: string, at: number): void {
  for (let from = 0, to = at; to < at + 16; from += 2, to++) {
    if (value.charCodeAt(from) === 0x2d) from++;
    buffer[to] = (nibble(value, from) << 4) | nibble(value, from + 1);
  }
}

const nibble = (text: string, at: number): number => nibbles[text.charCodeAt(at)] ?? 0;

export function writeLong(buffer: Buffer, value: number, at: number): void {
  buffer.writeInt32BE(Math.floor(value / 0x1_0000_0000), at);
  buffer.writeUInt32BE(value >>> 0, at + 4);
}

/** The type of an array, by the type of its elements. */
const arrayTypes: Readonly<Record<number, number>> = {
  16: 1000,
  20: 1016,
  21: 1005,
  23: 1007,
  25: 1009,
  114: 199,
  1184: 1185,
  2950: 2951,
};

/** A row of a flag and arrays. */
export function row(flag: boolean, arrays: readonly Buffer[]): Buffer {
  const size = arrays.reduce((sum, { length }) => sum + 8 + length, 13);
  const buffer = Buffer.allocUnsafe(size);
  let at = buffer.writeInt32BE(arrays.length + 1, 0);
  at = buffer.writeInt32BE(16, at);
  at = buffer.writeInt32BE(1, at);
  at = buffer.writeInt8(flag ? 1 : 0, at);
  for (const array of arrays) {
    at = buffer.writeInt32BE(arrayTypes[array.readInt32BE(8)] ?? 0, at);
    at = buffer.writeInt32BE(array.length, at);
    at += array.copy(buffer, at);
  }
  return buffer;
}
