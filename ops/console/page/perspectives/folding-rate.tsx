import { RecentRate } from '../../../terminal/progress-rate.js';
import { now } from '../parts/live-state.js';

interface Progress {
  readonly name: string;
  readonly done: number;
  readonly total: number;
}

const rates = new Map<string, RecentRate>();

/** How fast a perspective is rebuilt or catches up, and how long it will take. */
export function FoldingRate({ name, done, total }: Progress) {
  const rate = rates.get(name) ?? new RecentRate();
  rates.set(name, rate);
  return <span class="share">{rate.text(done, total, now.value)}</span>;
}
