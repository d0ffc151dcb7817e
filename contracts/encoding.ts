/** Writes a value of a known type as JSON: values that match the type take a fast path, any other is still valid JSON. */
export type Encode<T> = (value: T) => string;

export const encodeText: Encode<string> = (value) =>
  typeof value === 'string' && !mustBeEscaped.test(value) ? `"${value}"` : encodeJson(value);

export const encodeNumber: Encode<number> = (value) =>
  Number.isFinite(value) ? `${value}` : encodeJson(value);

export const encodeBoolean: Encode<boolean> = (value) =>
  typeof value === 'boolean' ? `${value}` : encodeJson(value);

/** A value that JSON cannot express becomes null, as in an array given to JSON.stringify. */
export const encodeJson: Encode<unknown> = (value) => JSON.stringify(value) ?? 'null';

export function encodeArray<T>(values: readonly T[], encode: Encode<T>): string {
  let items = '';
  for (const value of values) items += items === '' ? encode(value) : `,${encode(value)}`;
  return `[${items}]`;
}

export function encodeMap<T>(values: Readonly<Record<string, T | undefined>>, encode: Encode<T>): string {
  let members = '';
  for (const key of Object.keys(values)) {
    const value = values[key];
    if (value !== undefined) members += `${members === '' ? '' : ','}${encodeText(key)}:${encode(value)}`;
  }
  return `{${members}}`;
}

/** Anything that needs escaping in JSON text: quotes, backslashes, control characters and surrogates. */
const mustBeEscaped = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;
