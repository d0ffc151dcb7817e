import { Problem } from './problems.js';
import { type Decimal, isDecimal } from './scalars.js';

/** Digits without their point, and how many of them follow it. */
interface Scaled {
  readonly digits: bigint;
  readonly scale: number;
}

/**
 * Exact arithmetic with decimal digits. A sum has as many decimal places as its most exact part, a product as many as
 * both factors together.
 *
 * @example
 * ```ts
 * Decimals.sum(lines.map(({ unitPrice, quantity }) => Decimals.multiply(unitPrice, quantity))); // '12.30'
 * Decimals.compare(total, '100') > 0;
 * ```
 */
export const Decimals = Object.freeze({
  add: (a: Decimal, b: Decimal): Decimal => Decimals.sum([a, b]),

  /** `'0'` without values. */
  sum(values: Iterable<Decimal>): Decimal {
    let total: Scaled = { digits: 0n, scale: 0 };
    for (const value of values) {
      const [one, other] = aligned(total, scaledOf(value));
      total = { digits: one.digits + other.digits, scale: one.scale };
    }
    return textOf(total);
  },

  /** The second factor may be a whole number. */
  multiply(a: Decimal, b: Decimal | number): Decimal {
    const [one, other] = [scaledOf(a), scaledOf(b)];
    return textOf({ digits: one.digits * other.digits, scale: one.scale + other.scale });
  },

  /** Below, equal or above, as `sort` expects it: 1.5 and 1.50 are equal. */
  compare(a: Decimal, b: Decimal): -1 | 0 | 1 {
    const [one, other] = aligned(scaledOf(a), scaledOf(b));
    if (one.digits === other.digits) return 0;
    return one.digits < other.digits ? -1 : 1;
  },
});

function scaledOf(value: Decimal | number): Scaled {
  if (Number.isSafeInteger(value)) return { digits: BigInt(value), scale: 0 };
  if (!isDecimal(value))
    throw new Problem('invalid-decimal', {
      detail: 'Decimals takes decimal numbers as text, such as 12.50, and whole numbers as factors.',
    });
  const point = value.indexOf('.');
  if (point < 0) return { digits: BigInt(value), scale: 0 };
  return { digits: BigInt(value.slice(0, point) + value.slice(point + 1)), scale: value.length - point - 1 };
}

function aligned(a: Scaled, b: Scaled): readonly [Scaled, Scaled] {
  if (a.scale === b.scale) return [a, b];
  const scale = Math.max(a.scale, b.scale);
  const widened = ({ digits, scale: own }: Scaled): Scaled => ({
    digits: digits * 10n ** BigInt(scale - own),
    scale,
  });
  return [widened(a), widened(b)];
}

function textOf({ digits, scale }: Scaled): Decimal {
  if (scale === 0) return String(digits);
  const sign = digits < 0n ? '-' : '';
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  return `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`;
}
