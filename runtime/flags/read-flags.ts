import { flagOff, type FlagRules } from '../../contracts/flags.js';
import type { Row, Statement } from '../database/database.js';

export interface StoredFlags {
  /** Grows with every change. */
  readonly version: string;
  readonly rules: ReadonlyMap<string, FlagRules>;
}

/** A flag as operators see it. */
export interface ListedFlag extends FlagRules {
  readonly name: string;
  /** Whether the sources of a service that has started here use it. */
  readonly declared: boolean;
  /** The last change; unset: nobody has changed it. */
  readonly changed?: FlagEdit | undefined;
}

interface FlagEdit {
  readonly by: string;
  readonly at: string;
  readonly reason?: string | undefined;
}

interface Reader {
  rows(statement: Statement): Promise<Row[]>;
}

interface StoredFlag {
  readonly name: string;
  readonly default_on: boolean;
  readonly percent: number | null;
  readonly tenants: FlagRules['tenants'];
  readonly users: FlagRules['users'];
}

/** One statement, so that all of it belongs to one version; nothing when that is the known one. */
export async function readFlags(database: Reader, known = ''): Promise<StoredFlags | undefined> {
  const text = `SELECT version::text, (SELECT coalesce(json_agg(f), '[]') FROM svc_flags f)
    FROM svc_versions WHERE channel = 'svc_flags' AND version::text <> $1`;
  const [row] = await database.rows({ name: 'svc_read_flags', text, values: [known] });
  if (row === undefined) return undefined;
  const stored = JSON.parse(row[1] ?? '[]') as StoredFlag[];
  return { version: row[0] ?? '', rules: new Map(stored.map((flag) => [flag.name, rulesOf(flag)])) };
}

/** The rules of one flag; undefined when nobody has changed it. */
export async function readFlag(database: Reader, name: string): Promise<FlagRules | undefined> {
  const [row] = await database.rows({
    text: 'SELECT to_json(f) FROM svc_flags f WHERE name = $1',
    values: [name],
  });
  return row === undefined ? undefined : rulesOf(JSON.parse(row[0] ?? '') as StoredFlag);
}

/** Every flag that was declared or changed, by name. */
export async function listFlags(database: Reader): Promise<readonly ListedFlag[]> {
  const rows = await database.rows({
    text: `SELECT name, n.name IS NOT NULL, CASE WHEN f.name IS NOT NULL THEN to_json(f) END,
        svc_iso_time(f.updated_at, 'MS'), f.updated_by, f.reason
      FROM svc_flags f FULL JOIN svc_flag_names n USING (name) ORDER BY name COLLATE "C"`,
  });
  return rows.map(([name, declared, stored, at, by, reason]) => ({
    name: name ?? '',
    declared: declared === 't',
    ...(stored === null || stored === undefined ? flagOff : rulesOf(JSON.parse(stored) as StoredFlag)),
    ...(at && by ? { changed: { by, at, ...(reason ? { reason } : {}) } } : {}),
  }));
}

const rulesOf = ({ default_on: on, percent, tenants, users }: StoredFlag): FlagRules => ({
  on,
  ...(percent === null ? {} : { percent }),
  tenants,
  users,
});
