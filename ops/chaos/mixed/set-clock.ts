import { setTimeout as delay } from 'node:timers/promises';
import type { FakeClock } from '../harness/fake-clock.js';
import { holdsWithin } from '../scenarios/scenario.js';

const leastSeconds = 120;
const moreSeconds = 780;
/** Longer than a lease. */
const wrongMs = 6_000;
const seenWithinMs = 15_000;

/** A host is minutes ahead for a while, then as far behind; whether its answers say so. */
export async function setClock(url: string, clock: FakeClock, draw: number): Promise<boolean> {
  const seconds = Math.floor(leastSeconds + draw * moreSeconds);
  try {
    const isAhead = await isWrongBy(url, clock, seconds);
    return (await isWrongBy(url, clock, -seconds)) && isAhead;
  } finally {
    await clock.set(0);
  }
}

async function isWrongBy(url: string, clock: FakeClock, seconds: number): Promise<boolean> {
  await clock.set(seconds);
  await delay(wrongMs);
  const { kept } = await holdsWithin('the host has that time', seenWithinMs, async () => {
    const answer = await fetch(new URL('/health/live', url));
    await answer.body?.cancel();
    const ahead = (Date.parse(answer.headers.get('date') ?? '') - Date.now()) / 1_000;
    return Math.abs(ahead - seconds) < leastSeconds / 2;
  });
  return kept;
}
