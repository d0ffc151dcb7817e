import type { Uuid } from './scalars.js';

const poolBytes = 8192;
const pool = new Uint8Array(poolBytes);

let offset = poolBytes;
let lastTime = 0;
let counter = 0;

/**
 * A UUIDv7 that sorts after every earlier one of this process.
 *
 * @example
 * ```ts
 * const orderId = newUuid();
 * work.append(orderId, OrderCreated.of({ orderId }), { expectedPosition: 0 });
 * ```
 */
export function newUuid(now: number = Date.now()): Uuid {
  if (offset + 10 > poolBytes) refill();
  if (now > lastTime) {
    lastTime = now;
    counter = (byte(offset) << 3) | (byte(offset + 1) >> 5);
  } else if (++counter > 0xfff) {
    // The counter overflowed within one millisecond: borrow the next one to keep the order.
    lastTime++;
    counter = 0;
  }
  const text = format(lastTime, counter);
  offset += 10;
  return text;
}

function refill(): void {
  crypto.getRandomValues(pool);
  offset = 0;
}

const byte = (index: number): number => pool[index] ?? 0;

const digits = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
// 36 characters; the dashes keep their positions.
const characters: number[] = Array.from({ length: 36 }, () => 0x2d);

function put(at: number, value: number): void {
  characters[at] = digits[(value >> 4) & 15] ?? 0;
  characters[at + 1] = digits[value & 15] ?? 0;
}

/** Builds one flat string: a concatenated one is copied again when it is sent. */
function format(time: number, count: number): Uuid {
  const high = Math.floor(time / 0x10000);
  put(0, high >>> 24);
  put(2, high >>> 16);
  put(4, high >>> 8);
  put(6, high);
  put(9, time >>> 8);
  put(11, time);
  put(14, 0x70 | (count >> 8));
  put(16, count);
  put(19, 0x80 | (byte(offset + 2) & 0x3f));
  put(21, byte(offset + 3));
  for (let index = 4; index < 10; index++) put(16 + 2 * index, byte(offset + index));
  return String.fromCharCode.apply(null, characters);
}
