import { Problem } from '../../contracts/problems.js';
import type { Database } from '../../runtime/database/database.js';
import {
  type DeadLetterSelection,
  replayDeadLetters,
  type BulkReplay,
} from '../../runtime/outbox/dead-letters.js';
import type { Config } from '../config.js';
import { currentOperator, recordCliAction } from '../cli-operator.js';
import { usageOf } from './arguments.js';

interface KindOptions {
  readonly fingerprint?: string | undefined;
  readonly error?: string | undefined;
}

/** Undefined when neither is given; a Problem says what is wrong with what is. */
export function kindOf({ fingerprint, error }: KindOptions): DeadLetterSelection | undefined {
  if (fingerprint !== undefined && error !== undefined)
    throw usage('Give either --fingerprint or --error, not both');
  if (fingerprint !== undefined && !/^[0-9a-f]{12}$/.test(fingerprint))
    throw usage('A fingerprint has 12 hexadecimal digits, as svc dead-letters list --json shows it');
  // Any error holds the empty text: that would be all of them.
  if (error?.trim() === '') throw usage('Give some text of the errors after --error');
  if (fingerprint !== undefined) return { fingerprint };
  return error === undefined ? undefined : { error };
}

const usage = usageOf('dead-letters');

/** Replays many at once, and puts on record who did so. */
export async function replayMany(
  database: Database,
  config: Config,
  kind: DeadLetterSelection,
  reason: string | undefined,
): Promise<BulkReplay> {
  const answer = await replayDeadLetters(database, kind, currentOperator());
  const what =
    'fingerprint' in kind ? `fingerprint ${kind.fingerprint}` : `error '${kind.error.slice(0, 200)}'`;
  if (answer.replaying > 0) {
    const target = `${answer.replaying} with ${what}`;
    await recordCliAction(database, config, { action: 'dead-letters replay', target, reason });
    return answer;
  }
  const cut = answer.cut > 0 ? ` ${cutText(answer.cut)}` : '';
  throw new Problem('not-found', { detail: `No dead letter with ${what} can be replayed.${cut}` });
}

export const replayingText = ({ replaying, cut }: BulkReplay): string =>
  [
    `${replaying} dead letters are taken or published again by running hosts.`,
    ...(cut > 0 ? [cutText(cut)] : []),
  ].join('\n');

const cutText = (cut: number): string => `${cut} stay dead: of their messages only the beginning was kept.`;
