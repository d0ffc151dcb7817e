import type { Command } from '../../contracts/message.js';
import type { ReactionStore } from '../../contracts/reaction-store.js';
import type { RequestContext } from '../../runtime/request/request-context.js';
import type { LocalDispatcher } from '../commands/dispatcher.js';
import type { OpenStep } from '../commands/open-step.js';
import { mustBeFree } from './must-be-free.js';
import { runsAgain } from '../commands/passing-errors.js';

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
