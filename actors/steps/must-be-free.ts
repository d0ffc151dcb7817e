import type { ReactionStore } from '../../contracts/reaction-store.js';
import { alreadyReserved } from '../../runtime/store/already-reserved.js';
import { reservationsOf } from '../../runtime/store/encode-lists.js';
import type { OpenStep } from '../commands/open-step.js';

/**
 * Refuses the command that was staged last when another owner has a name that it takes. A commit refuses the step as a
 * whole; when it has, the step runs again with this, and then it is known which command is refused.
 */
export async function mustBeFree(
  step: OpenStep,
  before: number,
  reactions: Pick<ReactionStore, 'isReserved'>,
): Promise<void> {
  const { parts } = step.staged;
  const own = new Set(parts.slice(before).flatMap(({ lists }) => lists?.reservations ?? []));
  if (own.size === 0) return;
  const keys = new Set([...own].map(({ key }) => key));
  try {
    const all = reservationsOf(parts.flatMap(({ lists }) => lists?.reservations ?? []));
    const taken = await reactions.isReserved(all.filter(({ key }) => keys.has(key)));
    if (taken) throw alreadyReserved([...own]);
  } catch (error) {
    step.discardAfter(before);
    throw error;
  }
}
