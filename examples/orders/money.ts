import type { Decimal, Int } from 'svc-runtime';

/** Exact: calculates with decimal digits. */
export function totalOf(lines: readonly { quantity: Int; unitPrice: Decimal }[]): Decimal {
  const scale = Math.max(0, ...lines.map((line) => fraction(line.unitPrice).length));
  const sum = lines.reduce(
    (total, line) => total + scaled(line.unitPrice, scale) * BigInt(line.quantity),
    0n,
  );
  return unscaled(sum, scale);
}

const fraction = (price: Decimal): string => price.split('.')[1] ?? '';

const scaled = (price: Decimal, scale: number): bigint =>
  BigInt((price.split('.')[0] ?? '') + fraction(price).padEnd(scale, '0'));

function unscaled(amount: bigint, scale: number): Decimal {
  if (scale === 0) return amount.toString();
  const sign = amount < 0n ? '-' : '';
  const digits = (amount < 0n ? -amount : amount).toString().padStart(scale + 1, '0');
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
