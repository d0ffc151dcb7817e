import { Problem } from '../../contracts/problems.js';
import type { Session } from '../database/database.js';

/** What a host is made for, and the least that another must be made for once this one's items are in place. */
export interface SchemaLevels {
  readonly level: number;
  /** Raised only by a contract step: what it removes, hosts below this level still need. */
  readonly least: number;
}

interface Levels {
  readonly library: SchemaLevels;
  readonly application: SchemaLevels;
}

/** Of our own schema. */
export const libraryLevels: SchemaLevels = { level: 1, least: 1 };

export const firstLevels: SchemaLevels = { level: 1, least: 1 };

/** A host that needs what a contract step has removed does not start. */
export async function mustBeAllowed(session: Session, levels: Levels): Promise<void> {
  const rows = await session.rows({ text: 'SELECT owner, min_level FROM svc_schema_levels' });
  for (const [owner, least] of rows) {
    const own = levels[owner === 'library' ? 'library' : 'application'].level;
    if (own >= Number(least)) continue;
    throw new Problem('invalid-setup', {
      detail: `This host is made for level ${own} of the ${owner ?? ''}'s schema, the database needs at least ${least ?? ''}; start a newer version.`,
    });
  }
}

/** Neither level ever goes down. */
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
