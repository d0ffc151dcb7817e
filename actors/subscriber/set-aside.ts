import type { SystemMessage } from '../../contracts/system-messages.js';
import type { InboundMessage } from '../../contracts/transport.js';
import { receivedDeadLetter, receivedDeadLetterReport } from '../../runtime/inbox/dead-letter.js';
import type { Inbox, LetterFate, Lost, ReceivedDeadLetter } from '../../runtime/inbox/inbox.js';
import type { Verdict } from '../../runtime/inbox/judge.js';
import { log } from '../../runtime/log.js';

export interface DeadMessage {
  readonly message: InboundMessage;
  readonly verdict: Extract<Verdict, { readonly is: 'dead' }>;
}

export interface SettingAside {
  readonly inbox: Pick<Inbox, 'deadLetters'>;
  /** Emits without making anybody wait. */
  readonly report: (message: SystemMessage) => void;
}

/** Keeps what cannot be taken, all in one go, and reports what is new; what there is no room for is not kept. */
export async function setAside(
  dead: readonly DeadMessage[],
  { inbox, report }: SettingAside,
): Promise<readonly LetterFate[] | Lost> {
  if (dead.length === 0) return [];
  const letters = dead.map(({ message, verdict }) =>
    receivedDeadLetter(message, verdict.problem, verdict.envelope),
  );
  const fates = await inbox.deadLetters(letters);
  if (fates === 'lost') return fates;
  letters.forEach((letter, index) => {
    if (fates[index] === 'kept') announce(letter, report);
  });
  return fates;
}

function announce(letter: ReceivedDeadLetter, report: SettingAside['report']): void {
  const { subject, messageId, error, fingerprint } = letter;
  log.warn(
    { subject, messageId, error, fingerprint },
    'a received message cannot be taken and is a dead letter now',
  );
  const event = receivedDeadLetterReport(letter);
  if (event !== undefined) report(event);
}
