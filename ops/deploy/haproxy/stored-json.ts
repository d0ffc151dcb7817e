import { readFile } from 'node:fs/promises';
import { reasonOnOneLine } from '../../../actors/health/reason-on-one-line.js';
import { isObject, type JsonObject } from '../../../contracts/codec-scalars.js';
import { Problem } from '../../../contracts/problems.js';

/** The object in a text of JSON; undefined if it holds anything else, such as after a full disk. */
export function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a file; undefined only if there is none: one that cannot be read may name the revision that serves. */
export async function textIn(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new Problem('invalid-setup', {
      detail: `${path} cannot be read (${reasonOnOneLine(cause)}); correct "releases" in deploy.json, or its permissions.`,
      cause,
    });
  }
}

/** Writes below the folder of the revisions. */
export async function written<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw new Problem('invalid-setup', {
      detail: `${path} cannot be written (${reasonOnOneLine(cause)}); make room, or correct "releases" in deploy.json or its permissions.`,
      cause,
    });
  }
}
