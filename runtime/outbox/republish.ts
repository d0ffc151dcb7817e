import { Problem } from '../../contracts/problems.js';
import type { Long } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';

/** What goes out once more: `messages` of the log between two positions, both included. */
export interface Republished {
  readonly from: Long;
  readonly to: Long;
  readonly messages: number;
}

/** Sets the outbox back to a position that it has passed; a running relay sends from there, receivers drop what they have. */
export async function republish(database: Pick<Database, 'rows'>, from: Long): Promise<Republished> {
  const [row] = await database.rows({
    text: 'SELECT cursor_was, messages FROM svc_outbox_republish($1)',
    values: [from],
  });
  const [to, messages] = row ?? [];
  if (typeof messages === 'string') return { from, to: Number(to), messages: Number(messages) };
  throw new Problem('usage', {
    detail: `Position ${from} has not been published yet; the outbox stands at ${to ?? 0}, and what lies behind it goes out by itself.`,
  });
}
