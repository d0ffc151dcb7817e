import { Problem } from '../../contracts/problems.js';
import type { Long } from '../../contracts/scalars.js';
import { mustHold } from '../store/must-hold.js';
import { type OperatorCall, recordedAction } from '../store/operator-action.js';

/** What is published again: `messages` of the log between two positions, both inclusive. */
export interface Republished {
  readonly from: Long;
  readonly to: Long;
  readonly messages: number;
}

/** Moves the outbox cursor back to an earlier position; a running relay publishes from there, and receivers drop duplicates. */
export const republish = (call: OperatorCall, from: Long): Promise<Republished> =>
  recordedAction(call.database, call, 'outbox republish', async (session) => {
    await mustHold(session, from - 1);
    const [row] = await session.rows({
      text: 'SELECT cursor_was, messages FROM svc_outbox_republish($1)',
      values: [from],
    });
    const [to, messages] = row ?? [];
    if (typeof messages === 'string')
      return { result: { from, to: Number(to), messages: Number(messages) }, targets: [`${from}-${to}`] };
    throw new Problem('usage', {
      detail: `Position ${from} has not been published yet; the outbox is at ${to ?? 0}, and everything after that will be published anyway.`,
    });
  });
