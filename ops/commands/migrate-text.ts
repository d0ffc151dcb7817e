import { MigrationStatus } from '../../contracts/migration.js';
import type { Replaced } from '../../runtime/migrations/drop-replaced.js';
import type { PlannedStep } from '../../runtime/migrations/dry-run.js';
import type { StepOutcome } from '../../runtime/migrations/outcome-events.js';

const names = new Map<number, string>(
  Object.entries(MigrationStatus).map(([name, status]) => [status, name]),
);
const nameOf = (status: MigrationStatus): string => names.get(status) ?? String(status);

const wouldBe = new Map<number, string>([
  [MigrationStatus.Applied, 'would apply'],
  [MigrationStatus.Updated, 'would update'],
  [MigrationStatus.MigratingInBackground, 'would replay'],
]);

export const plannedJson = ({ step, sql, refusal }: PlannedStep) => ({
  key: step.item.key,
  strategy: step.strategy,
  status: nameOf(refusal === undefined ? step.becomes : MigrationStatus.Failed),
  ...(refusal === undefined ? {} : { description: refusal }),
  oldHash: step.oldHash,
  newHash: step.item.hash,
  leftAlone: step.isLeftAlone,
  sql,
});

/** Prints each step on its own line with its SQL below; unchanged items are only counted. */
export function plannedText(steps: readonly PlannedStep[]): string {
  const changing = steps.filter(
    ({ step, refusal }) => refusal !== undefined || step.becomes !== MigrationStatus.Skipped,
  );
  const unchanged = steps.length - changing.length;
  const lines = changing.map(({ step, sql, refusal }) => {
    if (refusal !== undefined) return `-- would fail: ${step.item.key}: ${refusal}`;
    const title = `${wouldBe.get(step.becomes) ?? ''} ${step.item.key} (${step.strategy})`;
    return [`-- ${title}`, ...sql.map((text) => `${text.replace(/;\s*$/, '')};`)].join('\n');
  });
  return [...lines, `-- ${changing.length} to do, ${unchanged} unchanged`].join('\n\n');
}

export const outcomeJson = ({ step, status, description, durationMs }: StepOutcome) => ({
  key: step.item.key,
  strategy: step.strategy,
  status: nameOf(status),
  description,
  oldHash: step.oldHash,
  newHash: step.item.hash,
  durationMs: Math.round(durationMs),
});

export const outcomeText = ({ step, status, description, durationMs }: StepOutcome): string =>
  `${nameOf(status).padEnd(21)} ${step.item.key.padEnd(32)} ${step.strategy.padEnd(11)} ${Math.round(durationMs)} ms  ${description}`;

export function remnantsText(remnants: readonly Replaced[], isDry: boolean): string {
  if (remnants.length === 0) return 'Nothing to clean up.';
  return remnants
    .map(({ what, sql }) => (isDry ? `-- would drop ${what}\n${sql};` : `dropped ${what}`))
    .join('\n');
}
