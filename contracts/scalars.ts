import { decimalPattern, durationPattern, timestampPattern, uuidPattern } from './scalar-patterns.js';

declare const scalar: unique symbol;

/** A primitive with a name that the generator can read; plain literals remain assignable. */
export type Flavoured<Base, Name extends string> = Base & { readonly [scalar]?: Name };

/**
 * Lower-case text; UUIDv7 when generated here.
 *
 * @example
 * ```ts
 * orderId!: Uuid;
 * for await (const event of work.read(orderId)) order = orderAfter(order, event);
 * ```
 */
export type Uuid = Flavoured<string, 'Uuid'>;
/**
 * A 32-bit signed integer.
 *
 * @example
 * ```ts
 * quantity!: Int; // a `number` would be refused: it could be a fraction
 * const sales: Int = state.sales + 1;
 * ```
 */
export type Int = Flavoured<number, 'Int'>;
/**
 * A safe integer.
 *
 * @example
 * ```ts
 * const position: Long = event.globalPosition;
 * const milliseconds: Long = Date.parse(event.occurredAt);
 * ```
 */
export type Long = Flavoured<number, 'Long'>;
/**
 * Exact decimal digits: text in memory and a JSON string on every wire.
 *
 * @example
 * ```ts
 * total!: Decimal; // '12.50', in memory and in JSON
 * total = Decimals.add(total, '0.50'); // '13.00'
 * ```
 */
export type Decimal = Flavoured<string, 'Decimal'>;
/**
 * ISO 8601 with offset.
 *
 * @example
 * ```ts
 * dueAt!: Timestamp; // '2026-01-31T12:00:00Z'
 * const isLate = Date.parse(event.occurredAt) > Date.parse(dueAt);
 * ```
 */
export type Timestamp = Flavoured<string, 'Timestamp'>;
/**
 * ISO 8601 duration, `PT0.153S`.
 *
 * @example
 * ```ts
 * const patience: Duration = 'PT15M';
 * work.schedule(CancelOrder.of({ orderId }), { in: patience, name: 'payment', key: orderId });
 * ```
 */
export type Duration = Flavoured<string, 'Duration'>;

/**
 * Any JSON value.
 *
 * @example
 * ```ts
 * details!: Json; // whatever the caller sends
 * work.append(orderId, NoteTaken.of({ orderId, details }));
 * ```
 */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

export const isUuid = (value: unknown): value is Uuid => typeof value === 'string' && uuidPattern.test(value);
export const isInt = (value: unknown): value is Int => typeof value === 'number' && (value | 0) === value;
export const isLong = (value: unknown): value is Long => Number.isSafeInteger(value);
export const isDecimal = (value: unknown): value is Decimal =>
  typeof value === 'string' && decimalPattern.test(value);
export const isTimestamp = (value: unknown): value is Timestamp =>
  typeof value === 'string' && timestampPattern.test(value) && isCalendarDay(value.slice(0, 10));
export const isDuration = (value: unknown): value is Duration =>
  typeof value === 'string' && durationPattern.test(value);

/** Milliseconds as an ISO 8601 duration. */
export const durationOf = (milliseconds: number): Duration =>
  `PT${Math.max(0, Math.round(milliseconds)) / 1000}S`;

/** Date.parse accepts February 30 as March 1. */
function isCalendarDay(text: string): boolean {
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : (daysOfMonths[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
