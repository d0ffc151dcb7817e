import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readSqlFiles, type SqlFile } from '../../runtime/migrations/application-migrations.js';
import { editedSince } from '../../runtime/migrations/dry-run.js';
import type { Finding } from '../../runtime/migrations/lint/finding.js';
import { lintMigrations } from '../../runtime/migrations/lint/lint.js';
import { loadService, serviceSourceOf, versionIn } from '../service/load-service.js';
import { readConfig } from '../config/config.js';
import { migrationFolderOf } from '../host/migration-items.js';
import { printToStdout } from '../terminal/print.js';

/** `svc check migrations`: exits with 1 when a statement breaks running code. */
export async function checkMigrations(app: string, json: boolean): Promise<void> {
  const folder = await migrationsOf(app);
  const files = folder === undefined ? [] : await readSqlFiles(folder);
  const findings = [...(await edited(files, app)), ...(await lintMigrations(files))];
  const text =
    findings.length === 0
      ? `${files.length} files checked, no findings.`
      : findings.map(findingText).join('\n');
  printToStdout(`${json ? JSON.stringify(findings, undefined, 2) : text}\n`);
  if (findings.some(({ effect }) => effect === 'breaks')) process.exitCode = 1;
}

/** A folder with migrations needs no built application. */
async function migrationsOf(app: string): Promise<string | undefined> {
  const beside = join(resolve(app), 'migrations');
  const found = await stat(beside).catch(() => undefined);
  if (found?.isDirectory() === true) return beside;
  const definition = await loadService(app);
  return migrationFolderOf(definition) ?? serviceSourceOf(definition)?.migrations;
}

async function edited(files: readonly SqlFile[], app: string): Promise<Finding[]> {
  const { databaseUrl, ownerUrl } = readConfig();
  if (databaseUrl === undefined) return [];
  const found = await editedSince(ownerUrl ?? databaseUrl, files, (await versionIn(resolve(app))) ?? null);
  return found.map(({ file, refusal }) => ({
    file,
    line: 1,
    rule: 'edited',
    effect: 'breaks',
    message: refusal,
    instead: 'put the change into a new file',
  }));
}

const findingText = ({ file, line, rule, effect, message, instead }: Finding): string =>
  `migrations/${file}:${line}: ${effect === 'breaks' ? 'error' : 'warning'} ${rule}: ${message}\n  instead: ${instead}`;
