import type { EffectRegistration } from '../../contracts/effect.js';
import type { Command } from '../../contracts/message.js';
import type { Receptor, ReceptorRegistration, UnitOfWork } from '../../contracts/receptor.js';
import { type RequestContext, runOf } from '../../runtime/request/request-context.js';

/** Handles the command of an effect when its outcome is known: it stores the events. */
export class EffectReceptor implements Receptor<Command, unknown> {
  /** What the answer of the other system was worth: types and ids, for the audit. */
  handle(_command: Command, work: UnitOfWork): unknown {
    const { streamId, events = [] } = runOf(work.context as RequestContext).outcome ?? {};
    if (streamId === undefined || events.length === 0) return undefined;
    const staged = work.append(streamId, events, { expectedPosition: 'any' });
    return staged.map(({ envelope: { messageType, messageId } }) => ({ type: messageType, id: messageId }));
  }
}

/** The receptors of effects. */
export const effectReceptors = (effects: readonly EffectRegistration[]): readonly ReceptorRegistration[] =>
  effects.map(({ command, effect: { name } }) => ({ command, receptor: new EffectReceptor(), name }));
