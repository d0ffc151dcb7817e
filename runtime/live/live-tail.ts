import type { Long } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';
import { unlessArchived } from '../store/must-hold.js';
import type { FoldRules, StoredModel } from '../perspectives/fold/fold.js';
import type { LogEntry } from '../log/log-entry.js';
import { mustBeComparable } from './compared-filters.js';
import { deliverChanges } from './deliver-changes.js';
import { KnownRows } from './known-rows.js';
import type { LivePosition, LiveResume } from './live-position.js';
import type { LiveSource, RowsAtCursor, SeenEvent } from './live-source.js';
import { findEarlierRows, type KnownBefore } from './find-earlier-rows.js';
import { entriesByKey, type RowChange, rowChanges } from './row-change.js';
import { Member, Members, type Watcher, type Watching } from './watcher.js';

const pageSize = 500;
/** Beyond it, reading the list again costs less than replaying what happened since. */
const maxBehind = 10_000;

interface TailPorts {
  readonly database: Pick<Database, 'rows'>;
  readonly source: LiveSource;
  readonly rules: FoldRules;
}

/**
 * The end of the log as the watchers of one perspective on this host see it: what is read is read once for all of them.
 * What changed is derived from the log alone, so a watcher continues on any host.
 */
export class LiveTail {
  readonly #members = new Members();
  readonly #joining = new Set<Member>();
  readonly #known = new KnownRows();
  #at: LivePosition | undefined;
  #seen: SeenEvent | undefined;
  /** Events that were read and are not folded yet. */
  #pending: readonly LogEntry[] = [];
  #readTo: Long = 0;
  #head: Long = 0;
  #isFarBehind = false;

  constructor(private readonly ports: TailPorts) {}

  get isIdle(): boolean {
    return this.#members.size + this.#joining.size === 0;
  }

  join(watcher: Watcher): Watching {
    mustBeComparable(this.#watchers(), watcher);
    const member = new Member(watcher, watcher.after?.position ?? 0);
    this.#joining.add(member);
    const at = (): LivePosition | undefined =>
      this.#at && !this.#isFarBehind && this.#members.has(member)
        ? { ...this.#at, position: Math.max(this.#at.position, member.after) }
        : undefined;
    return {
      get at() {
        return at();
      },
      leave: () => {
        this.#joining.delete(member);
        this.#members.delete(member);
      },
    };
  }

  *#watchers(): Iterable<Watcher> {
    for (const { watcher } of this.#members) yield watcher;
    for (const { watcher } of this.#joining) yield watcher;
  }

  /** Sends what the perspective has folded since the last round; returns whether more is expected at once. */
  async round(): Promise<boolean> {
    const start = this.#at ?? this.#startAt(await this.ports.source.at([]));
    await this.#admit(start);
    await this.#readOn(start.position);
    const keys = watchedKeys(this.ports.rules, this.#pending, this.#members);
    const now = await this.ports.source.at([...keys], this.#seen);
    if (this.#mustReset(start, now)) this.#reset(now);
    else await this.#advance(start, now, keys);
    return this.#pending.length > 0 || this.#readTo < this.#head || this.#joining.size > 0;
  }

  #startAt({ position, model }: LivePosition): LivePosition {
    this.#pending = [];
    this.#readTo = position;
    this.#seen = undefined;
    this.#known.clear();
    return (this.#at = { position, model });
  }

  /** Events that are far ahead of the cursor are left in the log. */
  async #readOn(from: Long): Promise<void> {
    if (this.#pending.length > pageSize) return;
    const page = await this.ports.source.page(this.#readTo, pageSize);
    this.#head = page.head;
    // A log that ends before what was read is another one.
    const isSame = page.head >= this.#readTo;
    this.#pending = isSame ? [...this.#pending, ...page.entries] : [];
    this.#readTo = isSame ? page.to : from;
  }

  #mustReset(start: LivePosition, now: RowsAtCursor): boolean {
    if (now.model !== start.model || now.position < start.position || !now.isSameLog) return true;
    const wasFarBehind = this.#isFarBehind;
    this.#isFarBehind = this.#head - now.position > (wasFarBehind ? maxBehind / 10 : maxBehind);
    if (this.#isFarBehind) this.#startAt(now);
    return wasFarBehind && !this.#isFarBehind;
  }

  #reset(now: LivePosition): void {
    const at = this.#startAt(now);
    for (const member of this.#members) member.send({ at, event: 'reset' });
  }

  async #advance(start: LivePosition, now: RowsAtCursor, keys: ReadonlySet<string>): Promise<void> {
    if (this.#isFarBehind) return;
    const { rules } = this.ports;
    const to = Math.min(now.position, this.#readTo);
    const folded = this.#pending.filter(({ event }) => event.globalPosition <= to);
    const changes = rowChanges(rules, folded, now.rows, to).filter(({ key }) => keys.has(key));
    await this.#deliver(this.#members, changes, (change) => this.#known.get(change.key), start);
    // What was not watched, or follows with a later event, is not known as it is at the new position.
    for (const key of entriesByKey(rules, folded).keys()) this.#known.forget(key);
    for (const { key, row } of changes) this.#known.set(key, row);
    this.#pending = this.#pending.slice(folded.length);
    const last = folded.at(-1)?.event;
    if (last !== undefined) this.#seen = { position: last.globalPosition, eventId: last.messageId };
    this.#at = { position: to, model: start.model };
  }

  /** New watchers start here; others continue where they left off, with everything they missed. */
  async #admit(at: LivePosition): Promise<void> {
    if (this.#joining.size === 0) return;
    const { rules, source } = this.ports;
    const joining = [...this.#joining];
    // The history of rows of several streams is in the whole log: what can be known of them is known from here on.
    const keys = rules.table.byStream ? [] : joining.flatMap(({ watcher: { key } }) => key ?? []);
    const now = await source.at(keys, this.#seen);
    for (const key of keys) this.#learn(key, now.rows.get(key), at, now);
    const resumed: Member[] = [];
    for (const member of joining) {
      const { after } = member.watcher;
      if (after !== undefined && this.#mayResume(member.watcher, after, at, now)) resumed.push(member);
      else if (this.#admitted(member)) member.send({ at, event: after === undefined ? 'ready' : 'reset' });
    }
    const isCaughtUp = await unlessArchived(this.#catchUp(resumed, at).then(() => true));
    for (const member of resumed)
      if (this.#admitted(member) && isCaughtUp === undefined) member.send({ at, event: 'reset' });
  }

  /** Returns false when the watcher has left meanwhile. */
  #admitted(member: Member): boolean {
    const isWaiting = this.#joining.delete(member);
    if (isWaiting) this.#members.add(member);
    return isWaiting;
  }

  #learn(key: string, row: StoredModel | undefined, at: LivePosition, now: LivePosition): void {
    if (now.model !== at.model) return;
    if (row === undefined ? now.position === at.position : row.position <= at.position)
      this.#known.set(key, row);
  }

  #mayResume({ key, isLimited }: Watcher, after: LiveResume, at: LivePosition, now: LivePosition): boolean {
    // Without the history of a row, whether a caller could see it before it was deleted is not known.
    if (key !== undefined && isLimited && !this.ports.rules.table.byStream) return false;
    return (
      (after.model ?? at.model) === at.model &&
      after.position <= now.position &&
      at.position - after.position <= maxBehind
    );
  }

  async #catchUp(resumed: readonly Member[], at: LivePosition): Promise<void> {
    const { source, rules } = this.ports;
    const members = new Members(resumed);
    let from = Math.min(...resumed.map(({ after }) => after));
    while (from < at.position) {
      const page = await source.page(from, pageSize);
      const to = Math.min(page.to, at.position);
      const entries = page.entries.filter(({ event }) => event.globalPosition <= to);
      const keys = watchedKeys(rules, entries, members);
      const now = await source.at([...keys], this.#seen);
      // The next round resets them.
      if (now.model !== at.model || page.to <= from) return;
      const before = { position: from, model: at.model };
      const changes = rowChanges(rules, entries, now.rows, to).filter(({ key }) => keys.has(key));
      await this.#deliver(members, changes, () => undefined, before);
      from = page.to;
    }
  }

  #deliver(
    members: Members,
    changes: readonly RowChange[],
    known: KnownBefore,
    { position, model }: LivePosition,
  ): Promise<void> {
    const { rules, source, database } = this.ports;
    const earlier = (lost: readonly RowChange[]) => findEarlierRows({ rules, source, known, position }, lost);
    return deliverChanges({ database, earlier }, members, changes, model);
  }
}

const watchedKeys = (rules: FoldRules, entries: readonly LogEntry[], members: Members): ReadonlySet<string> =>
  new Set([...entriesByKey(rules, entries).keys()].filter((key) => members.watches(key)));
