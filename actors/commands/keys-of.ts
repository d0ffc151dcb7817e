import { Problem } from '../../contracts/problems.js';

const maxKeys = 8;

/** The distinct keys of a command. */
export function keysOf(key: string | readonly string[]): readonly string[] {
  if (!Array.isArray(key)) return [key as string];
  const keys = [...new Set(key as readonly unknown[])];
  if (keys.length > maxKeys || keys.some((one) => typeof one !== 'string'))
    throw new Problem('invalid-key', {
      detail: `key must return a text, or a list of up to ${maxKeys} different texts.`,
    });
  return keys as readonly string[];
}
