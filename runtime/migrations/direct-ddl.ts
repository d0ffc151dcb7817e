import { MigrationFailureReason } from '../../contracts/migration.js';
import type { Session } from '../database/database.js';
import { failpoint } from '../lang/failpoint.js';
import { during, locating, MigrationFailure } from './failure.js';
import { inTransaction, type LockRetry } from '../database/lock-retry.js';
import { saveSettings } from '../database/schema-session.js';
import { type Statement, statementsOf, transactionalIn } from './split-statements.js';

/** Runs everything and writes its ledger entry in one transaction. */
export const directDdl = (
  session: Session,
  lockRetry: LockRetry,
  sql: string,
  recorded: () => Promise<void>,
): Promise<void> =>
  during('ddl', () => {
    mustBeOurTransaction(statementsOf(sql));
    const all = async () => {
      const forgetSettings = await saveSettings(session);
      await session.rows({ text: sql });
      failpoint('migration-before-commit');
      await forgetSettings();
      await recorded();
    };
    return locating(sql, 0, () => inTransaction(session, lockRetry, all));
  });

/** Otherwise half a file would stay when the rest of it fails. */
function mustBeOurTransaction(statements: readonly Statement[]): void {
  const [found] = transactionalIn(statements);
  if (found === undefined) return;
  throw new MigrationFailure(
    MigrationFailureReason.SqlError,
    `line ${found.line} contains ${found.normalized}; remove it, because each file already runs in its own transaction.`,
  );
}

/** Runs statement by statement, from the first unfinished one; each is recorded when it is done. */
export const oneByOne = (
  session: Session,
  file: string,
  statements: readonly Statement[],
  done: number,
  note: (done: number) => Promise<void>,
): Promise<void> =>
  during('ddl', async () => {
    mustBeOurTransaction(statements);
    const forgetSettings = await saveSettings(session);
    try {
      for (const [index, statement] of statements.entries()) {
        if (index < done) continue;
        await dropInvalidIndex(session, statement);
        await locating(file, statement.start, () => session.rows({ text: statement.text }));
        await note(index + 1);
        failpoint('migration-statement-done');
      }
    } finally {
      await forgetSettings();
    }
  });

/** An interrupted build leaves an unused index behind that IF NOT EXISTS would consider done. */
async function dropInvalidIndex(session: Session, { text, normalized }: Statement): Promise<void> {
  if (!/^CREATE (?:UNIQUE )?INDEX CONCURRENTLY/.test(normalized)) return;
  const [, name] = /CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?("(?:[^"]|"")+"|[\w$]+)\s+ON\b/i.exec(text) ?? [];
  if (name === undefined) return;
  const [invalid] = await session.rows({
    text: 'SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    values: [name],
  });
  if (invalid !== undefined) await session.rows({ text: `DROP INDEX CONCURRENTLY ${name}` });
}
