import type { Timestamp } from '../../contracts/scalars.js';

/** Microseconds since 1970: the resolution of PostgreSQL. Digits beyond it are dropped. */
export function microsOf(time: Timestamp): bigint {
  const fraction = /\.(\d{4,})/.exec(time)?.[1];
  if (fraction === undefined) return BigInt(Date.parse(time)) * 1000n;
  return (
    BigInt(Date.parse(time.replace(`.${fraction}`, ''))) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'))
  );
}

export function timestampOfMicros(micros: bigint): Timestamp {
  const rest = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = new Date(Number((micros - rest) / 1000n)).toISOString().slice(0, 19);
  return `${seconds}.${String(rest).padStart(6, '0')}Z`;
}
