import type { Database } from '../database/database.js';
import type { LivePosition } from './live-position.js';
import type { LiveRow } from './live-row.js';
import { type EarlierRows, type RowChange, tenantsOf } from './row-change.js';
import { type RowSelection, selectedRows } from './row-selection.js';
import type { LiveMessage, Member, Members } from './watcher.js';

interface DeliveryPorts {
  readonly database: Pick<Database, 'rows'>;
  /** What readers may have seen of these rows before. */
  readonly earlier: (changes: readonly RowChange[]) => Promise<ReadonlyMap<string, EarlierRows>>;
}

/**
 * Sends each change to those who see the row now, and `gone` to those who may have seen it before. Nobody learns of a
 * row that they could not have read.
 */
export async function deliverChanges(
  { database, earlier }: DeliveryPorts,
  members: Members,
  changes: readonly RowChange[],
  model: LivePosition['model'],
): Promise<void> {
  const watched = changes.filter(({ key }) => members.watches(key));
  const audience = new Set(watched.flatMap(({ key }) => [...members.of(key)]));
  const selections = Array.from(audience, ({ watcher }) => watcher.selection);
  const now = new Sight(
    await selectedRows(
      database,
      selections,
      watched.flatMap(({ row }) => row ?? []),
    ),
  );
  const plans = watched.map((change) => planOf(change, members, now));
  const lost = plans.filter(({ unseenBy }) => unseenBy.length > 0).map(({ change }) => change);
  const before = await earlier(lost);
  const then = new Sight(await selectedRows(database, selections, rowsIn(before)));
  const inScope = new Sight(await scopesOf(database, plans, before));
  for (const [index, { change, seenBy, unseenBy }] of plans.entries()) {
    const isLast = plans[index + 1]?.change.position !== change.position;
    const messages = messagesOf(change, isLast, model);
    for (const member of seenBy) if (member.after < change.position) member.send(messages.changed);
    const rows = before.get(change.key) ?? [];
    for (const member of unseenBy) {
      if (member.after >= change.position) continue;
      const loss =
        rows === 'unknown' ? lossWithoutHistory(member, change, inScope) : lossAfter(member, rows, then);
      if (loss !== undefined) member.send(messages[loss]);
    }
  }
}

/** Who sees which rows. */
class Sight {
  constructor(private readonly selected: ReadonlyMap<string, ReadonlySet<LiveRow>>) {}

  sees({ watcher: { mayRead } }: Member, { key }: RowSelection, row: LiveRow): boolean {
    return this.selected.get(key)?.has(row) === true && (mayRead === undefined || mayRead(row));
  }
}

interface Plan {
  readonly change: RowChange;
  readonly seenBy: readonly Member[];
  readonly unseenBy: readonly Member[];
}

function planOf(change: RowChange, members: Members, now: Sight): Plan {
  const seenBy: Member[] = [];
  const unseenBy: Member[] = [];
  for (const member of members.of(change.key)) {
    const isSeen = change.row !== undefined && now.sees(member, member.watcher.selection, change.row);
    (isSeen ? seenBy : unseenBy).push(member);
  }
  return { change, seenBy, unseenBy };
}

const rowsIn = (before: ReadonlyMap<string, EarlierRows>): LiveRow[] =>
  [...before.values()].flatMap((rows) => (rows === 'unknown' ? [] : rows));

/** Only where the history of a row is not known. */
function scopesOf(
  database: Pick<Database, 'rows'>,
  plans: readonly Plan[],
  before: ReadonlyMap<string, EarlierRows>,
): Promise<ReadonlyMap<string, ReadonlySet<LiveRow>>> {
  const unknown = plans.filter(({ change }) => before.get(change.key) === 'unknown');
  const scopes = unknown.flatMap(({ unseenBy }) => unseenBy.map(({ watcher }) => watcher.scope));
  return selectedRows(
    database,
    scopes,
    unknown.flatMap(({ change }) => change.row ?? []),
  );
}

const lossAfter = (member: Member, rows: readonly LiveRow[], then: Sight): 'gone' | undefined =>
  rows.some((row) => then.sees(member, member.watcher.selection, row)) ? 'gone' : undefined;

/**
 * A row that the caller may still read has left the filter. One that is deleted, and might have been anybody's in the
 * tenant, is not named to those who may not see all: who watches the list reads it again.
 */
function lossWithoutHistory(member: Member, change: RowChange, inScope: Sight): 'gone' | 'reset' | undefined {
  const { scope, isLimited, key } = member.watcher;
  if (change.row !== undefined) return inScope.sees(member, scope, change.row) ? 'gone' : undefined;
  if (!tenantsOf(change).has(scope.tenant)) return undefined;
  if (!isLimited) return 'gone';
  return key === undefined ? 'reset' : undefined;
}

/**
 * The messages of a change, made once for all. Of several rows that one event changed, only the last carries its
 * position: who continues from an earlier one gets them all again.
 */
function messagesOf(
  { key, position, row }: RowChange,
  isLast: boolean,
  model: LivePosition['model'],
): Record<'changed' | 'gone' | 'reset', LiveMessage> {
  const at = { position: isLast ? position : position - 1, model };
  return {
    changed: { at, event: 'changed', key, model: row?.model ?? 'null' },
    gone: { at, event: 'gone', key },
    reset: { at, event: 'reset' },
  };
}
