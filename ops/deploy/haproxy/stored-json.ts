import { isObject, type JsonObject } from '../../../contracts/codec-scalars.js';

/** The object in a text of JSON; undefined if it holds anything else, such as after a full disk. */
export function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
