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

/** So much is written at once: more would keep the host from everything else. */
const mostAtOnce = 32;
const mostBytesAtOnce = 1 << 20;

/** Keeps what cannot be taken, many in one go, and reports what is new; what there is no room for is not kept. */
export async function setAside(
  dead: readonly DeadMessage[],
  { inbox, report }: SettingAside,
): Promise<readonly LetterFate[] | Lost> {
  const fates: LetterFate[] = [];
  while (fates.length < dead.length) {
    const letters = nextOf(dead.slice(fates.length)).map(({ message, verdict }) =>
      receivedDeadLetter(message, verdict.problem, verdict.envelope),
    );
    const kept = await inbox.deadLetters(letters);
    if (kept === 'lost') return kept;
    letters.forEach((letter, index) => {
      if (kept[index] === 'kept') announce(letter, report);
    });
    fates.push(...kept);
  }
  return fates;
}

function nextOf(dead: readonly DeadMessage[]): readonly DeadMessage[] {
  let size = 0;
  const end = dead.findIndex(({ message }, index) => {
    size += message.body.length;
    return index > 0 && (index >= mostAtOnce || size > mostBytesAtOnce);
  });
  return end < 0 ? dead : dead.slice(0, end);
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
