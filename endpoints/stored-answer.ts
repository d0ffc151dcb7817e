import { type Fault, Problem } from '../contracts/problems.js';
import type { Answer } from './idempotent-answer.js';

/** A refusal that was stored for an earlier request with the same key. */
export class RepeatedProblem extends Problem {}

/** The result of a keyed command, whether it ran now or earlier; a stored refusal is thrown. */
export function resultIn({ status, body }: Answer): unknown {
  const stored: unknown = body === null ? undefined : JSON.parse(body);
  if (status >= 400) throw repeatedProblem(stored as StoredProblem);
  return stored;
}

/** A problem as it was first answered and stored. */
interface StoredProblem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly errors?: readonly Fault[];
  readonly instance: string;
  readonly correlationId: string;
  readonly [extension: string]: unknown;
}

function repeatedProblem(stored: StoredProblem): RepeatedProblem {
  const { type, title, status, detail, errors, instance: _, correlationId: __, ...extensions } = stored;
  const details = {
    ...(detail === undefined ? {} : { detail }),
    ...(errors === undefined ? {} : { errors }),
  };
  return new RepeatedProblem(type.slice(type.lastIndexOf(':') + 1), {
    title,
    status,
    ...details,
    extensions,
  });
}
