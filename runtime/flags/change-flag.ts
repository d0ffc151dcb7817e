import { FlagChanged } from '../../contracts/events/flag.js';
import { flagOff, type FlagRules, isFlagName } from '../../contracts/flags.js';
import { Problem } from '../../contracts/problems.js';
import { type AccessEditor, recordedChange } from '../access/recorded-change.js';
import type { Database, Session } from '../database/database.js';
import { nowText } from '../lang/now-text.js';
import { changedRules, type FlagChange, isSameRules } from './flag-change.js';
import { readFlag } from './read-flags.js';

interface FlagChangeOptions {
  readonly reason?: string | undefined;
  /** Creates a flag that no host has declared. */
  readonly isNew?: boolean | undefined;
}

interface ChangedFlag {
  readonly name: string;
  /** False: it was like this before. */
  readonly changed: boolean;
  readonly rules: FlagRules;
}

/** Changes a flag and stores its FlagChanged in the same transaction; what changes nothing is not recorded. */
export async function changeFlag(
  database: Database,
  editor: AccessEditor,
  name: string,
  change: FlagChange,
  { reason, isNew = false }: FlagChangeOptions = {},
): Promise<ChangedFlag> {
  if (!isFlagName(name)) throw invalidName(name);
  let rules = flagOff;
  const changed = await recordedChange(database, editor, async (session) => {
    await lockFlags(session);
    const before = await readFlag(session, name);
    if (before === undefined && !isNew) await mustBeDeclared(session, name);
    rules = changedRules(before ?? flagOff, change);
    if (isSameRules(before ?? flagOff, rules)) return [];
    const { changedBy: actor } = editor;
    await writeFlag(session, name, rules, actor, reason);
    return [
      new FlagChanged({ name, before: before ?? null, after: rules, actor, reason, timestamp: nowText() }),
    ];
  });
  return { name, changed, rules };
}

/** Makes the names known that the sources of a service use. */
export async function declareFlags(
  database: Pick<Database, 'rows'>,
  names: readonly string[],
): Promise<void> {
  if (names.length > 0)
    await database.rows({ text: 'SELECT svc_declare_flags($1)', values: [names.filter(isFlagName)] });
}

/** Writers wait for each other: the next one sees what this one changed. The runtime's role may lock no table. */
const lockFlags = (session: Session): Promise<unknown> =>
  session.rows({ text: `SELECT pg_advisory_xact_lock('svc_flags'::regclass::oid::bigint)` });

const writeFlag = (
  session: Session,
  name: string,
  { on, percent, tenants, users }: FlagRules,
  actor: string,
  reason: string | undefined,
): Promise<unknown> =>
  session.rows({
    text: 'SELECT svc_set_flag($1, $2, $3, $4, $5, $6, $7)',
    values: [name, on, percent, JSON.stringify(tenants), JSON.stringify(users), actor, reason],
  });

async function mustBeDeclared(session: Session, name: string): Promise<void> {
  const rows = await session.rows({
    text: 'SELECT name FROM svc_flag_names UNION SELECT name FROM svc_flags',
  });
  const known = rows.flatMap(([one]) => one ?? []).toSorted();
  if (known.includes(name)) return;
  const shown = known.slice(0, 10).join(', ');
  const more = known.length > 10 ? ` and ${known.length - 10} more` : '';
  throw new Problem('not-found', {
    detail: `There is no flag ${name}; ${known.length === 0 ? 'no host has declared one' : `known are ${shown}${more}`}.`,
  });
}

const invalidName = (name: string): Problem =>
  new Problem('invalid-query', {
    detail: `'${name}' cannot be the name of a flag: use up to 100 letters, digits and . _ : / -.`,
  });
