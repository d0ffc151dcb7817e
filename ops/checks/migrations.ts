import { LocalDispatcher } from '../../actors/commands/dispatcher.js';
import { MigrationStatus } from '../../contracts/migration.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { readSqlFiles, type SqlFile } from '../../runtime/migrations/application-migrations.js';
import { dryRun, dryRunWithout, type PlannedStep, runningLevel } from '../../runtime/migrations/dry-run.js';
import type { Finding } from '../../runtime/migrations/lint/finding.js';
import { lintMigrations } from '../../runtime/migrations/lint/lint.js';
import { serviceSourceOf } from '../service/load-service.js';
import { migrationFolderOf, migrationItemsOf } from '../host/migration-items.js';
import { type CheckOutcome, failed, passed } from './report.js';
import type { StoreUrls } from '../config/store-urls.js';

/** Whether the migrations would run, and whether the code that runs now survives them. */
export async function migrationOutcomes(
  definition: ServiceDefinition,
  urls: StoreUrls | undefined,
): Promise<CheckOutcome[]> {
  const items = await migrationItemsOf(definition, definition.create(new LocalDispatcher()));
  const steps = urls === undefined ? await dryRunWithout(items) : await dryRun(urls.owner, items);
  const level = urls === undefined ? undefined : await runningLevel(urls.owner);
  const compatible = compatibleOutcome(definition, steps, level);
  return [cleanOutcome(steps), await compatible.catch((error: unknown) => failed('compatibility', error))];
}

const isPending = ({ step }: PlannedStep): boolean => step.becomes !== MigrationStatus.Skipped;

function cleanOutcome(steps: readonly PlannedStep[]): CheckOutcome {
  const [refused, ...others] = steps.filter(({ refusal }) => refusal !== undefined);
  if (refused !== undefined)
    return failed('migrations', `${refused.step.item.key}: ${refused.refusal}${alsoText(others.length)}`);
  return passed('migrations', `${steps.filter(isPending).length} to apply, none refused`);
}

/** Before the first version there is no running code that could break. */
async function compatibleOutcome(
  definition: ServiceDefinition,
  steps: readonly PlannedStep[],
  level: number | undefined,
): Promise<CheckOutcome> {
  const name = 'compatibility';
  const pending = new Set(steps.filter(isPending).map(({ step }) => step.item.key));
  const all = await filesOf(definition);
  const files = all.filter((file) => pending.has(`migrations/${file.name}`));
  if (files.length === 0) return passed(name, 'no SQL files to apply');
  if (level === undefined) return passed(name, `${filesText(files.length)}; no version has run here yet`);
  const found = await lintMigrations(all, {
    runningLevel: level,
    pending: new Set(files.map((f) => f.name)),
  });
  const own = found.filter(({ file }) => files.some((one) => one.name === file));
  const [first, ...others] = own.filter(({ effect }) => effect === 'breaks');
  if (first !== undefined) return failed(name, `${findingLine(first)}${alsoText(others.length)}`);
  const warnings = own.length === 0 ? '' : `, ${own.length} may block it (svc check migrations)`;
  return passed(
    name,
    `${filesText(files.length)}, ${files.length === 1 ? 'which does not break' : 'none breaks'} the running version${warnings}`,
  );
}

const filesText = (count: number): string => `${count} SQL file${count === 1 ? '' : 's'}`;
const findingLine = ({ file, line, rule, message }: Finding): string =>
  `${file}:${line}: ${rule}: ${message}`;
const alsoText = (others: number): string => (others === 0 ? '' : ` (and ${others} more)`);

function filesOf(definition: ServiceDefinition): Promise<readonly SqlFile[]> {
  const folder = migrationFolderOf(definition) ?? serviceSourceOf(definition)?.migrations;
  return folder === undefined ? Promise.resolve([]) : readSqlFiles(folder);
}
