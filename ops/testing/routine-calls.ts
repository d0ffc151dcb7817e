import * as assert from 'uvu/assert';
import { connect } from '../../runtime/database/connect.js';
import { describeFiles } from '../../runtime/schema/described-files.js';
import { files } from '../../runtime/schema/generated/files.js';
import { withName } from '../../runtime/kit/database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { routineStatements } from './routine-statements.js';

/** Calls what no host has called, on a store whose hosts have stopped. */
export async function callRoutines(url: string): Promise<void> {
  const client = await connect(url);
  try {
    for (const [text, answer] of routineStatements) {
      const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
      const [[answered = ''] = []] = rows.map((row) => row.map(String));
      assert.is(answered, answer, text);
    }
  } finally {
    await client.end();
  }
}

/**
 * The routines of the schema that no session of the server has called. Creating one does not check all that is in it, and a
 * session reports what it has called when it ends; of what it has inlined it reports nothing, so that is called here by name.
 */
export async function routinesNotCalled(server: string): Promise<readonly string[]> {
  const sessions = `SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
  await until(async () => (await rowsOf(server, sessions)).length === 0);
  const databases = await rowsOf(
    server,
    "SELECT datname FROM pg_database WHERE datname NOT LIKE 'template%'",
  );
  const called = new Set<string>();
  for (const [name = ''] of databases)
    for (const [routine = ''] of await rowsOf(
      withName(server, name),
      'SELECT funcname FROM pg_stat_user_functions',
    ))
      called.add(routine);
  return (await describeFiles(files))
    .flatMap(({ routines }) => routines)
    .map(({ name }) => name)
    .filter((name) => !called.has(name) && !routineStatements.some(([text]) => text.includes(`${name}(`)));
}
