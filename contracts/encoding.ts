/** JSON text of a value of a known type: what the type promises takes the short way, anything else is still valid JSON. */
export type Encode<T> = (value: T) => string;

export const encodeText: Encode<string> = (value) =>
  typeof value === 'string' && !mustBeEscaped.test(value) ? `"${value}"` : encodeJson(value);

export const encodeNumber: Encode<number> = (value) =>
  Number.isFinite(value) ? `${value}` : encodeJson(value);

export const encodeBoolean: Encode<boolean> = (value) =>
  typeof value === 'boolean' ? `${value}` : encodeJson(value);

/** What JSON has no form for is null, as in an array of JSON.stringify. */
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

/** Anything but what JSON text holds as it is: quotes, backslashes, controls and surrogates. */
const mustBeEscaped = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;
