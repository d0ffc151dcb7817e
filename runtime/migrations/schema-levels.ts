import { Problem } from '../../contracts/problems.js';
import type { Session } from '../database/database.js';

/** The schema level of a host, and the minimum that other hosts need once its items are applied. */
export interface SchemaLevels {
  readonly level: number;
  /** Raised only by a contract step: hosts below this level still need what it removes. */
  readonly least: number;
}

interface Levels {
  readonly library: SchemaLevels;
  readonly application: SchemaLevels;
}

/** The levels of our own schema. */
export const libraryLevels: SchemaLevels = { level: 1, least: 1 };

export const firstLevels: SchemaLevels = { level: 1, least: 1 };

/** Rejects a host that needs what a contract step has removed. */
export async function mustBeAllowed(session: Session, levels: Levels): Promise<void> {
  const rows = await session.rows({ text: 'SELECT owner, min_level FROM svc_schema_levels' });
  for (const [owner, least] of rows) {
    const own = levels[owner === 'library' ? 'library' : 'application'].level;
    if (own >= Number(least)) continue;
    throw new Problem('invalid-setup', {
      detail: `This host is built for level ${own} of the ${owner ?? ''}'s schema, the database requires at least ${least ?? ''}; start a newer version.`,
    });
  }
}

/** Levels never decrease. */
export async function recordLevels(session: Session, levels: Levels): Promise<void> {
  for (const [owner, { level, least }] of Object.entries(levels)) {
    await session.rows({
      text: `INSERT INTO svc_schema_levels AS l VALUES ($1, $2, $3) ON CONFLICT (owner) DO UPDATE SET
        schema_level = greatest(l.schema_level, excluded.schema_level), min_level = greatest(l.min_level, excluded.min_level)
        WHERE l.schema_level < excluded.schema_level OR l.min_level < excluded.min_level`,
      values: [owner, level, least],
    });
  }
}

/** The level that a version of the application has reached in this store; undefined before the first one. */
export async function reachedLevel(session: Session): Promise<number | undefined> {
  const [table] = await session.rows({ text: "SELECT to_regclass('svc_schema_levels') IS NOT NULL" });
  if (table?.[0] !== 't') return undefined;
  const [row] = await session.rows({
    text: "SELECT schema_level FROM svc_schema_levels WHERE owner = 'application'",
  });
  return row === undefined ? undefined : Number(row[0]);
}
