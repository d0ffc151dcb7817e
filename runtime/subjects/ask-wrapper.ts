import { Problem } from '../../contracts/problems.js';
import type { KeyWrapper } from '../../contracts/sealing.js';
import type { Uuid } from '../../contracts/scalars.js';
import { withTimeout } from '../lang/with-timeout.js';

export const wrapperTimeoutMs = 10_000;

/** The service wrote the wrapper: it may throw, hang or return anything. */
export async function askWrapper(
  wrapper: () => Promise<unknown>,
  timeoutMs: number = wrapperTimeoutMs,
): Promise<Uint8Array> {
  let answer: unknown;
  try {
    answer = await withTimeout(timeoutMs, Promise.resolve().then(wrapper));
  } catch (cause) {
    if (cause instanceof Problem && cause.code === 'subject-keys-unavailable') throw cause;
    throw wrapperFails('fails or does not answer', cause);
  }
  if (answer instanceof Uint8Array) return answer;
  throw wrapperFails('did not return bytes');
}

/** Unwraps a key with the first wrapper that can; throws the problem of the last one. */
export async function unwrapWith(
  wrappers: readonly KeyWrapper[],
  wrapped: Uint8Array,
  id: Uuid,
  timeoutMs?: number,
): Promise<{ readonly key: Uint8Array; readonly wrapper: KeyWrapper }> {
  let problem: unknown;
  for (const wrapper of wrappers) {
    try {
      return { key: await askWrapper(() => wrapper.unwrap(wrapped, id), timeoutMs), wrapper };
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

export const wrapperFails = (what: string, cause?: unknown): Problem =>
  new Problem('subject-keys-unavailable', {
    detail: `The wrapper of the keys of subjects ${what}.`,
    cause,
  });
