import { isObject } from './codec-scalars.js';

/** A copy that hides the values that a type marks as sensitive. */
export type Redact = (value: unknown) => unknown;

export const redacted = '[redacted]';

/** The beginning of a value that is encrypted with the key of its subject. */
export const sealedPrefix = 'svc:sealed:1:';

/** Hides a sensitive value; absent values stay absent. */
export const hide: Redact = (value) => (value === undefined ? undefined : redacted);

export const show: Redact = (value) => value;

/** Redacts an object that has sensitive properties. */
export function redactObject(value: unknown, properties: Readonly<Record<string, Redact>>): unknown {
  if (!isObject(value)) return unexpected(value);
  const copy: Record<string, unknown> = { ...value };
  for (const [name, redact] of Object.entries(properties))
    if (copy[name] !== undefined) copy[name] = redact(copy[name]);
  return copy;
}

/** Redacts a union; an undeclared variant is hidden as a whole. */
export function redactVariant(
  value: unknown,
  discriminator: string,
  variants: ReadonlyMap<unknown, Redact>,
): unknown {
  const redact = isObject(value) ? variants.get(value[discriminator]) : undefined;
  return redact === undefined ? unexpected(value) : redact(value);
}

export const redactArray = (value: unknown, redact: Redact): unknown =>
  Array.isArray(value) ? value.map((item) => redact(item)) : unexpected(value);

export const redactMap = (value: unknown, redact: Redact): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redact(item)]))
    : unexpected(value);

/** A value of an unexpected shape might be the secret itself. */
const unexpected: Redact = (value) => (value === null ? null : hide(value));
