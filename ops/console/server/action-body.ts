import { isUnstorable, unstorable } from '../../../contracts/codec-scalars.js';
import { Problem } from '../../../contracts/problems.js';
import type { ActedBy } from '../model/acted-by.js';
import type { ApiRequest } from './api-handler.js';

const mostLetters = 500;

/** A blank text is not a reason. */
export const reasonIn = (body: unknown): string | undefined => textIn(body, 'reason')?.trim() || undefined;

export const actedBy = ({ actor, body }: ApiRequest): ActedBy => ({ actor, reason: reasonIn(body) });

export function textIn(body: unknown, name: string, most = mostLetters): string | undefined {
  const text = memberOf(body, name);
  if (text === undefined) return undefined;
  if (typeof text === 'string' && text.length <= most && !isUnstorable(text)) return text;
  throw invalidBody(`${name} must be a text of at most ${most} characters without ${unstorable}.`);
}

export const memberOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;

export const invalidBody = (detail: string): Problem => new Problem('invalid-query', { detail });
