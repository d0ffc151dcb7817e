import { Problem } from '../../contracts/problems.js';
import type { OperatorCall } from '../../runtime/store/operator-action.js';
import {
  type BulkReplay,
  type DeadLetterSelection,
  replayDeadLetters,
  selectionText,
} from '../../runtime/dead-letters/dead-letters.js';
import { usageOf } from './arguments.js';

interface KindOptions {
  readonly fingerprint?: string | undefined;
  readonly error?: string | undefined;
}

/** Undefined when neither option is given; throws a Problem for invalid options. */
export function selectionOf({ fingerprint, error }: KindOptions): DeadLetterSelection | undefined {
  if (fingerprint !== undefined && error !== undefined)
    throw usage('Give either --fingerprint or --error, not both');
  if (fingerprint !== undefined && !/^[0-9a-f]{12}$/.test(fingerprint))
    throw usage('A fingerprint has 12 hexadecimal digits; see svc dead-letters list --json');
  // Every error contains the empty text: that would replay all of them.
  if (error?.trim() === '') throw usage('--error needs a part of the error text');
  if (fingerprint !== undefined) return { fingerprint };
  return error === undefined ? undefined : { error };
}

const usage = usageOf('dead-letters');

/** Replays many dead letters. */
export async function replayMany(call: OperatorCall, kind: DeadLetterSelection): Promise<BulkReplay> {
  const answer = await replayDeadLetters(call, kind);
  if (answer.replaying > 0) return answer;
  const cut = answer.cut > 0 ? ` ${cutText(answer.cut)}` : '';
  throw new Problem('not-found', {
    detail: `No dead letter with ${selectionText(kind)} can be replayed.${cut}`,
  });
}

export const replayingText = ({ replaying, cut }: BulkReplay): string =>
  [
    `${replaying} dead letters will be published or received again by running hosts.`,
    ...(cut > 0 ? [cutText(cut)] : []),
  ].join('\n');

const cutText = (cut: number): string =>
  `${cut} cannot be replayed: only the beginning of their messages was kept.`;
