import type { Command } from '../../contracts/message.js';
import type { ReactionStore } from '../../contracts/reaction-store.js';
import type { RequestContext } from '../../runtime/request/request-context.js';
import type { LocalDispatcher } from '../commands/dispatcher.js';
import type { OpenStep } from '../commands/open-step.js';
import { runsAgain } from '../commands/passing-errors.js';
import { alreadyReserved } from '../../runtime/store/already-reserved.js';
import { reservationsOf } from '../../runtime/store/encode-lists.js';

interface StagePorts {
  readonly dispatcher: Pick<LocalDispatcher, 'stage' | 'failed'>;
  readonly reactions: Pick<ReactionStore, 'isReserved'>;
}

/** Runs a command as part of a step. One that fails is reported as one of a request is, whatever the step does then. */
export async function stageCommand(
  command: Command,
  context: RequestContext,
  { step, looksForNames }: { readonly step: OpenStep; readonly looksForNames: boolean },
  { dispatcher, reactions }: StagePorts,
): Promise<unknown> {
  const before = step.staged.parts.length;
  try {
    const result = await dispatcher.stage(command, context, step);
    if (looksForNames) await mustBeFree(step, before, reactions);
    return result;
  } catch (error) {
    if (!runsAgain(error)) dispatcher.failed(command, error, context);
    throw error;
  }
}

/**
 * Refuses the command that was staged last when another owner has a name that it takes. A commit refuses the step as a
 * whole; when it has, the step runs again with this, and then it is known which command is refused.
 */
async function mustBeFree(
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
