import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Problem } from '../../contracts/problems.js';
import { headerOf } from './sql-file-header.js';
import { type MigrationItem, type MigrationWork, sha256 } from './migration-item.js';
import { firstLevels, type SchemaLevels } from './schema-levels.js';
import { runsAlone, statementsOf } from './split-statements.js';

export interface SqlFile {
  readonly name: string;
  readonly sql: string;
}

/** What a service adds to the batch. */
export interface ApplicationItems {
  readonly items: readonly MigrationItem[];
  readonly levels: SchemaLevels;
  /** Decides which of two hashes is newer; null when unknown. */
  readonly version: string | null;
}

export const noApplicationItems: ApplicationItems = { items: [], levels: firstLevels, version: null };

/** The `.sql` files of a folder, by name. */
export async function readSqlFiles(folder: string): Promise<SqlFile[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new Problem('invalid-setup', { detail: `There is no migrations folder ${folder}.`, cause });
  });
  const wanted = names.filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(wanted.map(async (name) => ({ name, sql: await readFile(join(folder, name), 'utf8') })));
}

/** One item per file; the levels are the highest that any file declares. */
export function applicationItems(files: readonly SqlFile[], version: string | null = null): ApplicationItems {
  const levels = { ...firstLevels };
  const items = files.map(({ name, sql: written }): MigrationItem => {
    const sql = written.replace(/^\ufeff/, '');
    const header = headerOf(name, sql);
    levels.level = Math.max(levels.level, header.levels.level);
    levels.least = Math.max(levels.least, header.levels.least);
    const key = `migrations/${basename(name)}`;
    const { isRepeatable } = header;
    const hashes = { hash: sha256(written), sameAs: formsOf(sql).map(sha256) };
    return { ...workOf(name, sql, header.copy), ...hashes, key, owner: 'application', isRepeatable };
  });
  return { items, levels, version };
}

/** The same text with the line endings of other systems and editors. */
function formsOf(sql: string): readonly string[] {
  const unix = sql.replaceAll('\r\n', '\n');
  const forms = [unix, unix.replaceAll('\n', '\r\n')];
  return [...forms, ...forms.map((form) => `\ufeff${form}`)];
}

function workOf(name: string, sql: string, copy: ReturnType<typeof headerOf>['copy']): MigrationWork {
  const statements = statementsOf(sql);
  if (copy !== undefined) {
    if (statements.length === 0) return { kind: 'column-copy', copy };
    throw new Problem('invalid-setup', {
      detail: `${name} copies a column and also contains statements; put them into a separate file.`,
    });
  }
  return statements.some(runsAlone) ? { kind: 'statements', sql, statements } : { kind: 'ddl', sql };
}
