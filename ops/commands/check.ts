import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readSqlFiles, type SqlFile } from '../../runtime/migrations/application-migrations.js';
import { editedSince } from '../../runtime/migrations/dry-run.js';
import { type Finding, lintMigrations } from '../../runtime/migrations/lint.js';
import { loadService, serviceSourceOf, versionIn } from '../load-service.js';
import { readConfig } from '../config.js';
import { migrationFolderOf } from '../host/migration-items.js';
import type { Verb } from '../verb.js';
import { printToStdout } from '../print.js';
import { argumentsOf, usageOf } from './arguments.js';

export const check: Verb = {
  help: `
svc check migrations [app] [--json]

Reads migrations/*.sql of the application (a folder or a .js file; default: the current folder) and reports, with file
and line, statements that break or block running code: NOT NULL without a default, rename, drop, type change,
index without CONCURRENTLY, constraint without NOT VALID, … Exits with 1 when a statement breaks running code.
With DATABASE_URL it also reports files that were edited after they were applied there: no host would start.
A file may change what it has created itself; a file with -- svc: min-level=N may drop.

The safe order: add an optional column; deploy code that reads it and falls back to the old logic; backfill; then make
it required. Expand (add the new structure, write to both, backfill), then contract (read new only, remove the old).

  --json   prints the findings as JSON

  svc check migrations examples/orders`,
  run: async (args) => {
    const { app, json } = parse(args);
    const folder = await migrationsOf(app);
    const files = folder === undefined ? [] : await readSqlFiles(folder);
    const findings = [...(await edited(files, app)), ...lintMigrations(files)];
    const text =
      findings.length === 0
        ? `${files.length} files checked, no findings.`
        : findings.map(findingText).join('\n');
    printToStdout(`${json ? JSON.stringify(findings, undefined, 2) : text}\n`);
    if (findings.some(({ effect }) => effect === 'breaks')) process.exitCode = 1;
  },
};

function parse(args: readonly string[]): { readonly app: string; readonly json: boolean } {
  const { values, positionals } = argumentsOf(args, { json: { type: 'boolean' } }, usage);
  const [what, app = '.', ...rest] = positionals;
  if (what !== 'migrations' || rest.length > 0)
    throw usage('Give one thing to check: svc check migrations [app]');
  return { app, json: values.json === true };
}

const usage = usageOf('check');

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
