import { count, fault } from './codec-scalars.js';
import { Faults } from './faults.js';
import type { Fault } from './problems.js';
import { type Decimal, isDecimal } from './scalars.js';

export interface DecimalLimits {
  readonly minimum?: number;
  readonly maximum?: number;
  /** Digits before and after the point together (default 60). */
  readonly maxDigits?: number;
}

const noLimits: DecimalLimits = {};

export const defaultMaxDigits = 60;

/** Every decimal of this many digits survives as a JavaScript number. */
const keptDigits = 15;

/** Accepts text or a JSON number and keeps text, with the digits and the scale as written. */
export function decimal(value: unknown, path: string, faults: Fault[], limits = noLimits): Decimal {
  const written = typeof value === 'number' ? writtenOf(value, path, faults) : value;
  const isRead = typeof value === 'number' && !isKnown(faults);
  const message = isDecimal(written) ? refusalOf(written, limits, isRead) : malformed(written);
  if (message === undefined) return written as Decimal;
  fault(faults, path, value, message);
  return '0';
}

function refusalOf(written: Decimal, limits: DecimalLimits, isRead: boolean): string | undefined {
  const { maxDigits = defaultMaxDigits, minimum, maximum } = limits;
  if (written.length > maxDigits && digitsOf(written) > maxDigits)
    return `must have at most ${count(maxDigits, 'digit')}, not ${digitsOf(written)}`;
  // Without its original text, a number may have lost digits.
  if (isRead && digitsOf(written) > keptDigits)
    return `must have at most ${keptDigits} digits as a number, not ${digitsOf(written)}; send it as text`;
  if (minimum !== undefined && Number(written) < minimum) return `must be at least ${minimum}`;
  if (maximum !== undefined && Number(written) > maximum) return `must be at most ${maximum}`;
  return undefined;
}

const isKnown = (faults: readonly Fault[]): faults is Faults & { readonly writtenAt: object } =>
  faults instanceof Faults && faults.writtenAt !== undefined;

/** Truncated names can make two paths equal, so use a text only if it reads as the same number. */
function writtenOf(value: number, path: string, faults: readonly Fault[]): string {
  const written = isKnown(faults) ? faults.writtenAt(path) : undefined;
  return written !== undefined && Number(written) === value ? written : String(value);
}

const digitsOf = (written: string): number =>
  written.length - (written.startsWith('-') ? 1 : 0) - (written.includes('.') ? 1 : 0);

const example = 'such as 12.50';

/** Names the kind and length of what was found; the value itself may be a secret. */
function malformed(value: unknown): string {
  if (typeof value !== 'string')
    return `must be a decimal number or its digits as text, not ${kindOf(value)}`;
  if (/^-?\d+(?:\.\d+)?e[+-]?\d+$/i.test(value))
    return `must be a decimal number without an exponent, ${example}; found an exponent`;
  return `must be a decimal number ${example}; found text of ${count(value.length, 'character')}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
