import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../contracts/problems.js';
import type { BoundedAnswer } from './bounded-fetch.js';

/** A busy machine may answer late, which is not a fault of the revision that is checked. */
export const askForMs = 30_000;
const pauseMs = 200;

/** Asks until an answer decides, or the time is over; the last answer, or its absence, is the result then. */
export async function askAgain(
  ask: () => Promise<BoundedAnswer>,
  isUndecided: (answer: BoundedAnswer) => boolean,
  withinMs = askForMs,
): Promise<BoundedAnswer> {
  const until = performance.now() + withinMs;
  for (;;) {
    const last = await ask().catch(silence);
    const isSilent = last instanceof Problem;
    if (!isSilent && !isUndecided(last)) return last;
    if (performance.now() >= until) {
      if (isSilent) throw last;
      return last;
    }
    await delay(pauseMs);
  }
}

/** Nobody answered. Any other failure is the check's own. */
function silence(error: unknown): Problem {
  if (error instanceof Problem && error.code === 'host-silent') return error;
  throw error;
}

/** The front has no host that could answer. */
export const isUnavailable = ({ status }: BoundedAnswer): boolean => status >= 502 && status <= 504;
