import { Problem } from '../../contracts/problems.js';
import type { Database } from '../../runtime/database/database.js';
import { type ForgottenSubject, forgetSubject } from '../../runtime/subjects/forget-subject.js';
import { cliEditor } from '../cli/access-editor.js';
import { withConnectionOf } from '../cli/database.js';
import { readConfig } from '../config/config.js';
import { printToStdout } from '../terminal/print.js';
import type { Verb } from '../cli/verb.js';
import { parseSubjects } from './subjects-arguments.js';

export const subjects: Verb = {
  help: `
svc subjects forget ID --reason R

Destroys the key of a subject: from then on, each of its values in a field marked @Sensitive({ subject }) reads as null,
in this store and in its messages. This cannot be undone. It needs no master key.
Hosts fold the read models that contain such values again, within seconds if the log is short.
Events stay as they are, and the audit chain still verifies. Backups contain the key until they expire.
The system stream records it as SubjectForgotten, with a digest of the id and SVC_ACTOR or the user of the operating
system. ID is compared exactly with the field that the mark names.
The store is the one at DATABASE_URL (DATABASE_OWNER_URL), or the embedded one in SVC_DATA_DIR (.svc).

  --reason R  why; required
  --json      prints JSON

  svc subjects forget 0190b5d4-7c1f-7d7e-9a51-0d7d4a0f6b11 --reason 'request 4711'`,
  run: async (args) => {
    const { id, reason, json } = parseSubjects(args);
    await withConnectionOf(readConfig(), async (connection, config) => {
      await mustHaveSubjects(connection.database);
      const done = await connection.asOwner((owner) => forgetSubject(owner, cliEditor(config), id, reason));
      printToStdout(`${json ? JSON.stringify(done) : textOf(done)}\n`);
    });
  },
};

function textOf({ forgotten, perspectives }: ForgottenSubject): string {
  if (!forgotten) return 'The subject was forgotten before; nothing has changed.';
  if (perspectives.length === 0) return 'The subject is forgotten; no read model holds values of it.';
  return `The subject is forgotten; these read models are folded again: ${perspectives.join(', ')}.`;
}

/** A store that no host of this version has opened yet. */
async function mustHaveSubjects(database: Database): Promise<void> {
  const [row] = await database.rows({ text: "SELECT to_regclass('svc_subject_keys') IS NOT NULL" });
  if (row?.[0] === 't') return;
  throw new Problem('invalid-setup', {
    detail: 'The store has no subjects yet; run svc migrate, or start a host.',
  });
}
