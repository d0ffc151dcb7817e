import { MigrationFailureReason } from '../../contracts/migration.js';
import { Problem } from '../../contracts/problems.js';
import { sqlStateOf } from '../database/sql-error.js';

/** The stage in which it failed. */
export type MigrationStage = 'ddl' | 'expanding' | 'copying' | 'swapping';

/** Why an item could not be migrated. */
export class MigrationFailure extends Problem {
  constructor(
    readonly reason: MigrationFailureReason,
    detail: string,
    cause?: unknown,
  ) {
    super('invalid-setup', { detail, cause });
  }
}

/** Gives failures the reason of their stage. */
export async function during<T>(stage: MigrationStage, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw failureOf(error, stage);
  }
}

/** Adds the position in the file to an error, if the server reports one. */
export async function locating<T>(file: string, start: number, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const failure = failureOf(error, 'ddl');
    const location = locationOf(error, file, start);
    throw location === undefined
      ? failure
      : new MigrationFailure(failure.reason, `line ${location}: ${failure.message}`, error);
  }
}

/** The server counts characters from 1; JavaScript counts UTF-16 units. */
function locationOf(error: unknown, file: string, start: number): string | undefined {
  const position = error instanceof Error && 'position' in error ? Number(error.position) : Number.NaN;
  if (!Number.isInteger(position) || position < 1) return undefined;
  const before =
    file.slice(0, start) +
    Array.from(file.slice(start))
      .slice(0, position - 1)
      .join('');
  const lines = before.split('\n');
  return `${lines.length}:${Array.from(lines.at(-1) ?? '').length + 1}`;
}

export function failureOf(error: unknown, stage: MigrationStage): MigrationFailure {
  if (error instanceof MigrationFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new MigrationFailure(reasonOf(error, stage), message.replaceAll(/\s+/g, ' '), error);
}

// 57014: statement timeout; 55P03: lock not available.
const timeouts = new Set(['57014', '55P03']);
// 42804: datatype mismatch; 42846: cannot coerce.
const mismatches = new Set(['42804', '42846']);

function reasonOf(error: unknown, stage: MigrationStage): MigrationFailureReason {
  if (stage === 'swapping') return MigrationFailureReason.SwapFailed;
  // A rebuild that lost rows, or whose counts do not match.
  if (error instanceof Problem && error.code === 'rebuild-failed')
    return MigrationFailureReason.DataCopyFailed;
  const state = sqlStateOf(error);
  if (state === undefined) return MigrationFailureReason.Unknown;
  if (timeouts.has(state)) return MigrationFailureReason.Timeout;
  if (mismatches.has(state)) return MigrationFailureReason.ColumnTypeMismatch;
  // Classes 22 and 23: the statement is valid, but a row does not fit.
  if (stage === 'copying' && /^2[23]/.test(state)) return MigrationFailureReason.DataCopyFailed;
  return MigrationFailureReason.SqlError;
}
