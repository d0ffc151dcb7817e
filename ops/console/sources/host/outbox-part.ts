import { isObject } from '../../../../contracts/codec-scalars.js';
import type { OutboxFigures, OutboxPart, RelayFigures } from '../../model/outbox.js';
import type { ActedBy } from '../../model/acted-by.js';
import type { ActingOperator } from '../../../../runtime/store/operator-action.js';
import type { Database } from '../../../../runtime/database/database.js';
import type { AuditPolicy } from '../../../../runtime/audit/audit-policy.js';
import { readOutboxBacklog } from '../../../../runtime/outbox/backlog.js';
import {
  listDeadLetters,
  resolveDeadLetter,
  showDeadLetter,
  type ShownDeadLetter,
} from '../../../../runtime/dead-letters/dead-letters.js';

type Redactions = Pick<AuditPolicy, 'isSensitive' | 'bodyOf'>;

/** The limit of the count. */
const maxCounted = 10_000;

export const outboxPart = (
  database: Database,
  relay: () => RelayFigures,
  policy: Redactions,
  operatorOf: (by: ActedBy) => ActingOperator,
): OutboxPart => ({
  figures: () => figures(database, relay()),
  deadLetters: () => listDeadLetters(database),
  deadLetter: async (id) => redactedLetter(await showDeadLetter(database, id), policy),
  replay: (id, by) => resolveDeadLetter({ database, ...operatorOf(by) }, id, 'replay'),
  discard: (id, by) => resolveDeadLetter({ database, ...operatorOf(by) }, id, 'discard'),
});

/** A dead letter holds sensitive values, but no page shows them; what is not in the form of its type is left out. */
function redactedLetter(
  letter: ShownDeadLetter | undefined,
  policy: Redactions,
): ShownDeadLetter | undefined {
  if (letter === undefined) return undefined;
  const { messageType, destination, message } = letter;
  const types = [messageType, destination.slice(destination.lastIndexOf('.') + 1)];
  if (!types.some((type) => policy.isSensitive(type))) return letter;
  const isOfType = types[0] === types[1] && isObject(message) && isObject(message['payload']);
  return {
    ...letter,
    message: isOfType ? { ...message, payload: policy.bodyOf(messageType, message['payload']) } : undefined,
  };
}

async function figures(database: Database, { state, counts }: RelayFigures): Promise<OutboxFigures> {
  const [{ messages, oldestAgeSeconds }, [row]] = await Promise.all([
    readOutboxBacklog(database),
    database.rows({ text: 'SELECT count(*) FROM svc_dead_letters' }),
  ]);
  return {
    pending: messages,
    more: messages >= maxCounted,
    oldestAgeMs: messages === 0 ? undefined : Math.round(oldestAgeSeconds * 1000),
    relay: state,
    counts: { ...counts },
    dead: Number(row?.[0] ?? 0),
  };
}
