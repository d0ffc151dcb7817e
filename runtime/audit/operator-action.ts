import type { SystemEventEmitter } from '../../contracts/system-event-emitter.js';
import { OperatorActed } from '../../contracts/events/operator.js';
import { nowText } from '../now-text.js';

/** What an operator did. */
export interface OperatorAction {
  /** As on the command line: `dead-letters discard`. */
  readonly action: string;
  readonly target: string;
  readonly actor: string;
  readonly reason?: string | undefined;
}

/** Records an operator action that has happened; resolves when it is stored. */
export const recordOperatorAction = (
  emitter: Pick<SystemEventEmitter, 'emit'>,
  { action, target, actor, reason }: OperatorAction,
): Promise<void> =>
  emitter.emit(
    new OperatorActed({ action, target, actor, reason: reason?.trim() || undefined, timestamp: nowText() }),
  );
