import { rateText } from '../../progress-rate.js';
import { now } from './live-state.js';

interface Progress {
  readonly name: string;
  readonly done: number;
  readonly total: number;
}

/** Where each rebuild stood when this page first saw it. */
const firstSeen = new Map<string, { readonly at: number; readonly done: number }>();

/** How fast a rebuild is, and how long it will take. */
export function RebuildRate({ name, done, total }: Progress) {
  const known = firstSeen.get(name);
  const isSame = known !== undefined && known.done <= done;
  const first = isSame ? known : { at: now.value, done };
  if (!isSame) firstSeen.set(name, first);
  return <span class="share">{rateText(done - first.done, total - first.done, now.value - first.at)}</span>;
}
