import { mustBeWritable, mustHaveSpace } from '../../runtime/database/must-be-writable.js';
import { openDatabase } from '../../runtime/database/database.js';
import { toAssume } from '../../runtime/migrations/runtime-role.js';
import { runtimeRole } from '../../runtime/schema/runtime-role.js';

/** What the database of a service reports before a deployment. */
export interface DatabaseState {
  readonly version: string;
  /** A host has created its tables. */
  readonly hasStore: boolean;
  /** The role that a host would assume. */
  readonly role: string | undefined;
}

/** Connects as a host would, and writes: a commit that leaves nothing behind. */
export async function readDatabaseState(url: string): Promise<DatabaseState> {
  const database = openDatabase({
    url,
    connections: 1,
    statementTimeoutMs: 5_000,
    applicationName: 'svc-check',
  });
  try {
    await mustBeWritable(database);
    await mustHaveSpace(database);
    // A full disk or a missing synchronous standby shows only when a commit has to be flushed.
    await database.rows({ text: "SELECT pg_logical_emit_message(true, 'svc-check', '')" });
    const [[version, store, isMember] = []] = await database.rows({
      text: `SELECT current_setting('server_version'), to_regclass('svc_store') IS NOT NULL,
        (SELECT pg_has_role(oid, ${toAssume}) FROM pg_roles WHERE rolname = $1)`,
      values: [runtimeRole],
    });
    const hasStore = store === 't';
    const role = hasStore && isMember === 't' ? runtimeRole : undefined;
    return { version: version ?? '', hasStore, role };
  } finally {
    await database.close();
  }
}
