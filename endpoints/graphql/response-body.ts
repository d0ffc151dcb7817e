import type { EncodedError } from './errors.js';

/** Without data, nothing was executed. */
export function responseBody(errors: readonly EncodedError[], data?: object | null): string {
  const members = [
    ...(errors.length > 0 ? [`"errors":[${errors.map(({ text }) => text).join(',')}]`] : []),
    ...(data === undefined ? [] : [`"data":${JSON.stringify(data)}`]),
  ];
  return `{${members.join(',')}}`;
}
