import { Problem } from '../../contracts/problems.js';

const maxKeys = 8;

/** The distinct keys of a command. */
export function keysOf(key: string | readonly string[]): readonly string[] {
  if (typeof key === 'string') return [key];
  const keys: readonly unknown[] = Array.isArray(key) ? [...new Set<unknown>(key)] : [key];
  // Commands whose keys are no texts, such as promises, would never wait for each other.
  if (keys.length <= maxKeys && keys.every((one) => typeof one === 'string')) return keys;
  throw new Problem('invalid-key', {
    detail: `key must return a text, or a list of up to ${maxKeys} different texts.`,
  });
}
