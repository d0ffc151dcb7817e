import type { Uuid } from '../../contracts/scalars.js';
import type { HeadResult, ReceivedHead } from '../../runtime/inbox/inbox.js';
import { log } from '../../runtime/logging/log.js';
import type { SubscriberCounts } from './subscriber-counts.js';

const warnings: Partial<Readonly<Record<HeadResult, string>>> = {
  differs: 'the chain of another store differs from what was received',
  contradicts:
    'another store signed a head that contradicts an earlier one: its log went back or was rewritten',
  forged: 'a head that another store did not sign arrived under its name, and was rejected',
};

const maxReported = 1_000;

/** Counts heads by what became of them, and logs each fault once per store: anybody could fill the log with them. */
export class HeadReports {
  readonly #reported = new Set<string>();

  note(store: Uuid, head: ReceivedHead, result: HeadResult, counts: SubscriberCounts): void {
    if (result === 'differs') counts.differing++;
    if (result === 'contradicts' || result === 'forged') counts.refused++;
    const warning = warnings[result];
    const key = `${result} ${store}`;
    if (warning === undefined || this.#reported.has(key) || this.#reported.size >= maxReported) return;
    this.#reported.add(key);
    log.warn({ store, ...head }, warning);
  }
}
