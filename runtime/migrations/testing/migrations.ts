import { Problem } from '../../../contracts/problems.js';
import { connect } from '../../database/connect.js';
import type { Row } from '../../database/database.js';
import { applicationItems } from '../application-migrations.js';
import { type Migrated, tryToMigrate } from '../migrate.js';
import type { LockRetry } from '../../database/lock-retry.js';

/** SQL by the name of its file. */
export type Files = Readonly<Record<string, string>>;

/** Migrates like a service with these files. */
export const migrateFiles = (
  url: string,
  files: Files,
  options: {
    readonly version?: string | null;
    readonly lockRetry?: Partial<LockRetry>;
    readonly progress?: (key: string, done: number, total: number) => void;
  } = {},
): Promise<Migrated> => {
  const list = Object.entries(files).map(([name, sql]) => ({ name, sql }));
  const sorted = list.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const { version = null, lockRetry = {}, progress = () => undefined } = options;
  return tryToMigrate({ ownerUrl: url, application: applicationItems(sorted, version), lockRetry, progress });
};

/** The same, but returns the status of each file and throws a failure. */
export async function migrateOwn(url: string, files: Files, version: string | null = null) {
  const { batch, steps } = await migrateFiles(url, files, { version });
  if (batch.failure !== undefined) throw batch.failure;
  return steps.filter(({ key }) => key.startsWith('migrations/')).map(({ key, becomes }) => [key, becomes]);
}

/** Runs statements as the owner, over a separate connection. */
export async function query(url: string, text: string): Promise<Row[]> {
  const client = await connect(url);
  try {
    return (await client.query<string[]>({ text, rowMode: 'array', types: { getTypeParser: () => asText } }))
      .rows;
  } finally {
    await client.end();
  }
}

const asText = (value: string): string => ({ t: 'true', f: 'false' })[value] ?? value;

/** Status, description, hash and attempts. */
export async function ledgerRow(url: string, key: string): Promise<Row> {
  const text = `SELECT status, status_description, hash, attempts FROM svc_schema_migrations WHERE migration_key = '${key}'`;
  const [row] = await query(url, text);
  if (row === undefined) throw new Problem('not-found', { detail: `The ledger has no ${key}.` });
  return row;
}
