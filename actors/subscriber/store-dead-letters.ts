import type { SystemMessage } from '../../contracts/system-messages.js';
import type { InboundMessage } from '../../contracts/transport.js';
import { receivedDeadLetter, receivedMessageDeadLettered } from '../../runtime/inbox/received-dead-letter.js';
import type { Inbox, DeadLetterResult, LostLease, ReceivedDeadLetter } from '../../runtime/inbox/inbox.js';
import type { ClassifiedMessage } from '../../runtime/inbox/classify-message.js';
import { log } from '../../runtime/log.js';

export interface DeadMessage {
  readonly message: InboundMessage;
  readonly classification: Extract<ClassifiedMessage, { readonly is: 'dead' }>;
}

export interface DeadLetterPorts {
  readonly inbox: Pick<Inbox, 'storeDeadLetters'>;
  /** Emits in the background. */
  readonly report: (message: SystemMessage) => void;
}

/** The size of one write: a larger one would block the host. */
const maxBatch = 32;
const maxBatchBytes = 1 << 20;

/** Stores dead letters in batches and reports the new ones; those beyond the limit are not stored. */
export async function deadLetterAll(
  dead: readonly DeadMessage[],
  { inbox, report }: DeadLetterPorts,
): Promise<readonly DeadLetterResult[] | LostLease> {
  const results: DeadLetterResult[] = [];
  while (results.length < dead.length) {
    const letters = nextBatch(dead.slice(results.length)).map(({ message, classification }) =>
      receivedDeadLetter(message, classification.problem, classification.envelope),
    );
    const kept = await inbox.storeDeadLetters(letters);
    if (kept === 'lost') return kept;
    letters.forEach((letter, index) => {
      if (kept[index] === 'kept') reportDeadLetter(letter, report);
    });
    results.push(...kept);
  }
  return results;
}

function nextBatch(dead: readonly DeadMessage[]): readonly DeadMessage[] {
  let size = 0;
  const end = dead.findIndex(({ message }, index) => {
    size += message.body.length;
    return index > 0 && (index >= maxBatch || size > maxBatchBytes);
  });
  return end < 0 ? dead : dead.slice(0, end);
}

function reportDeadLetter(letter: ReceivedDeadLetter, report: DeadLetterPorts['report']): void {
  const { subject, messageId, error, fingerprint } = letter;
  log.warn(
    { subject, messageId, error, fingerprint },
    'a received message cannot be stored and is now a dead letter',
  );
  const event = receivedMessageDeadLettered(letter);
  if (event !== undefined) report(event);
}
