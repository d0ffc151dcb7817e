import type { Uuid } from './scalars.js';

const poolBytes = 8192;
const pool = new Uint8Array(poolBytes);
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

let offset = poolBytes;
let lastTime = 0;
let counter = 0;

/** A UUIDv7 that sorts after every one made before it in this process. */
export function newUuid(now: number = Date.now()): Uuid {
  if (offset + 10 > poolBytes) refill();
  if (now > lastTime) {
    lastTime = now;
    counter = (byte(offset) << 3) | (byte(offset + 1) >> 5);
  } else if (++counter > 0xfff) {
    // The counter ran over within one millisecond: borrow the next one, so that order holds.
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
const pair = (value: number): string => hex[value & 0xff] ?? '';
const random = (index: number): string => pair(byte(offset + index));

function format(time: number, count: number): Uuid {
  const high = Math.floor(time / 0x10000);
  return (
    pair(high >>> 24) +
    pair(high >>> 16) +
    pair(high >>> 8) +
    pair(high) +
    '-' +
    pair(time >>> 8) +
    pair(time) +
    '-' +
    pair(0x70 | (count >> 8)) +
    pair(count) +
    '-' +
    pair(0x80 | (byte(offset + 2) & 0x3f)) +
    random(3) +
    '-' +
    random(4) +
    random(5) +
    random(6) +
    random(7) +
    random(8) +
    random(9)
  );
}
