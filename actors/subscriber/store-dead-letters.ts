import type { SystemMessage } from '../../contracts/system-messages.js';
import { messageDeadLettered } from '../../runtime/dead-letters/message-dead-lettered.js';
import { receivedDeadLetter } from '../../runtime/inbox/received-dead-letter.js';
import type { Inbox, DeadLetterResult, ReceivedDeadLetter } from '../../runtime/inbox/inbox.js';
import { log } from '../../runtime/logging/log.js';
import { claimedStore, type DeadMessage, doubtAbout } from './doubtful-messages.js';

export interface DeadLetterPorts {
  readonly inbox: Pick<Inbox, 'storeDeadLetters' | 'knownStores'>;
  /** Emits in the background. */
  readonly report: (message: SystemMessage) => void;
}

/** The size of one write: a larger one would block the host. */
const maxBatch = 32;
const maxBatchBytes = 1 << 20;
const maxReported = 1_000;

/** Stores dead letters in batches and reports the new ones; those beyond the limit are not stored. */
export class DeadLetters {
  readonly #reported = new Set<string>();

  constructor(private readonly ports: DeadLetterPorts) {}

  async store(dead: readonly DeadMessage[]): Promise<readonly DeadLetterResult[]> {
    if (dead.length === 0) return [];
    const { inbox, report } = this.ports;
    const known = await inbox.knownStores([...new Set(dead.flatMap(claimedStore))]);
    const results: DeadLetterResult[] = [];
    while (results.length < dead.length) {
      const letters = nextBatch(dead.slice(results.length)).map((one) => ({
        ...receivedDeadLetter(one.message, one.classification.problem, one.classification.envelope),
        doubt: doubtAbout(one, known),
      }));
      const kept = await inbox.storeDeadLetters(letters);
      letters.forEach((letter, index) => {
        if (kept[index] === 'kept') reportDeadLetter(letter, report);
        if (kept[index] === 'dropped') this.#reportDropped(letter);
      });
      results.push(...kept);
    }
    return results;
  }

  /** Once for each kind: anybody could fill the log with them. */
  #reportDropped({ doubt = '', subject, error }: ReceivedDeadLetter): void {
    if (this.#reported.has(doubt) || this.#reported.size >= maxReported) return;
    this.#reported.add(doubt);
    log.warn(
      { subject, error, kind: doubt },
      'too many forged or unreadable messages of this kind are dead letters: further ones are only counted',
    );
  }
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
  const { subject, messageId, messageType, error, fingerprint } = letter;
  log.warn(
    { subject, messageId, error, fingerprint },
    'a received message cannot be stored and is now a dead letter',
  );
  const event = messageDeadLettered({
    messageId: messageId ?? 'unknown',
    messageType: messageType === '' ? 'unknown' : messageType,
    destination: subject,
    attempts: 1,
    lastError: error,
    fingerprint,
  });
  if (event !== undefined) report(event);
}
