import { MigrationFailureReason, MigrationStatus } from '../../contracts/migration.js';
import type { Session } from '../database/database.js';
import { columnCopy } from './column-copy.js';
import { directDdl, oneByOne } from './direct-ddl.js';
import { failureOf, MigrationFailure } from './failure.js';
import type { MigrationItem } from './migration-item.js';
import { type Entry, noteDone, record } from './ledger.js';
import { descriptionOf, type StepOutcome } from './outcome-events.js';
import type { LockRetry } from '../database/lock-retry.js';
import { indexPerspective, makePerspective, replacePerspective } from './perspective-tables.js';
import type { MigrationStep, Versions } from './plan.js';

export interface StepPorts {
  readonly session: Session;
  readonly lockRetry: LockRetry;
  readonly versions: Versions;
  /** False for a host that only watches while another one migrates. */
  readonly mayRecord: boolean;
  progress(key: string, done: number, total: number): void;
}

/** Migrates one item and updates the ledger, unless it is unchanged; a failure is an outcome, too. */
export async function runStep(step: MigrationStep, ports: StepPorts): Promise<StepOutcome> {
  const began = performance.now();
  const ended = (status: MigrationStatus, description: string): StepOutcome => ({
    step,
    status,
    description,
    durationMs: performance.now() - began,
  });
  try {
    await applyStep(step, ports);
    return ended(step.becomes, descriptionOf(step));
  } catch (error) {
    const { reason, message } = failureOf(error, 'ddl');
    // A rejected file was not tried, and a file that runs by statements was counted when it started.
    const isSameAttempt = step.refusal !== undefined || step.item.kind === 'statements';
    const entry = { status: MigrationStatus.Failed, description: message, isSameAttempt };
    await record(ports.session, step, entry, ports.versions);
    return { ...ended(MigrationStatus.Failed, message), reason };
  }
}

async function applyStep(step: MigrationStep, ports: StepPorts): Promise<void> {
  const { session, lockRetry, versions } = ports;
  const { item, becomes, isLeftAlone, refusal } = step;
  if (refusal !== undefined) throw new MigrationFailure(MigrationFailureReason.SqlError, refusal);
  if (isLeftAlone) {
    if (item.kind === 'perspective') await makePerspective(session, lockRetry, item.target);
    return;
  }
  const recorded = (entry: Partial<Entry> = {}): Promise<void> =>
    record(session, step, { status: becomes, description: descriptionOf(step), ...entry }, versions);
  if (becomes === MigrationStatus.Skipped) {
    if (ports.mayRecord && item.kind === 'perspective')
      await indexPerspective(session, lockRetry, item.target);
    return;
  }
  if (item.kind === 'ddl') await directDdl(session, lockRetry, item.sql, recorded);
  else if (item.kind === 'statements') await runStatements(step, item, session, recorded);
  else if (item.kind === 'perspective') await replacePerspective(step, item.target, ports, recorded);
  else {
    const progress = (done: number, total: number) => ports.progress(item.key, done, total);
    await columnCopy(item.copy, { session, lockRetry, recorded, progress });
  }
}

/** Recorded as failed until the last statement is done: a process that dies leaves the right status behind. */
async function runStatements(
  { row }: MigrationStep,
  { key, hash, sql, statements }: MigrationItem & { readonly kind: 'statements' },
  session: Session,
  recorded: (entry?: Partial<Entry>) => Promise<void>,
): Promise<void> {
  await recorded({ status: MigrationStatus.Failed, description: 'interrupted; continues at the next start' });
  const done = row?.done?.hash === hash ? row.done.statements : 0;
  await oneByOne(session, sql, statements, done, (count) => noteDone(session, key, hash, count));
  await recorded({ isSameAttempt: true });
}
