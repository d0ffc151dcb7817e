import { SubjectForgotten } from '../../contracts/events/subject.js';
import { Problem } from '../../contracts/problems.js';
import type { AccessEditor } from '../access/recorded-change.js';
import { recordedChange } from '../access/recorded-change.js';
import type { Database } from '../database/database.js';
import { failpoint } from '../lang/failpoint.js';
import { nowText } from '../lang/now-text.js';
import { notify } from '../database/notify.js';

/** What forgetting a subject has done. */
export interface ForgottenSubject {
  /** The digest of the id, as SubjectForgotten holds it. */
  readonly subject: string;
  /** False: it was forgotten before. */
  readonly forgotten: boolean;
  /** The perspectives with rows that are folded again, without the values. */
  readonly perspectives: readonly string[];
}

/**
 * Destroys the key of a subject and records it in one transaction of the owner, then notes the rows to fold again. Hosts
 * note what a process that died in between has left.
 */
export async function forgetSubject(
  owner: Database,
  editor: AccessEditor,
  id: string,
  reason: string,
): Promise<ForgottenSubject> {
  let result: ForgottenSubject | undefined;
  await recordedChange(owner, editor, async (session) => {
    // A subject may have values in many streams.
    await session.rows({ text: 'SET LOCAL statement_timeout = 0' });
    const [row] = await session.rows({
      text: 'SELECT digest, forgotten, models FROM svc_forget_subject($1)',
      values: [id],
    });
    if (row === undefined)
      throw new Problem('not-found', {
        detail: 'The store has no value of this subject; check the id, which is compared exactly.',
      });
    const [subject, forgotten, models] = row;
    result = {
      subject: subject ?? '',
      forgotten: forgotten === 't',
      perspectives: JSON.parse(models ?? '[]') as string[],
    };
    if (!result.forgotten) return [];
    const { changedBy: actor } = editor;
    return [new SubjectForgotten({ subject: result.subject, actor, reason, timestamp: nowText() })];
  });
  failpoint('subject-after-forget');
  await owner.rows({ text: 'SELECT svc_note_forgotten()' });
  await notify(owner, 'svc_subjects');
  return result ?? { subject: '', forgotten: false, perspectives: [] };
}
