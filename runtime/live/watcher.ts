import type { Long } from '../../contracts/scalars.js';
import type { LivePosition, LiveResume } from './live-position.js';
import type { LiveRow } from './live-row.js';
import type { RowSelection } from './row-selection.js';

/** What a watcher is sent; one object for all watchers of a change. */
export type LiveMessage = { readonly at: LivePosition } & (
  | { readonly event: 'ready' | 'reset' }
  | { readonly event: 'changed'; readonly key: string; readonly model: string }
  | { readonly event: 'gone'; readonly key: string }
);

/** Someone who watches the rows of a perspective. */
export interface Watcher {
  /** Who it is counted for. */
  readonly caller?: string | undefined;
  /** Unset: the whole list. */
  readonly key?: string | undefined;
  /** What the caller may see. */
  readonly scope: RowSelection;
  /** What of that the caller asked for. */
  readonly selection: RowSelection;
  /** The rows that a caller may see depend on more than the tenant. */
  readonly isLimited: boolean;
  /** Unset: every selected row. */
  readonly mayRead?: ((row: LiveRow) => boolean) | undefined;
  /** Where it left off; unset: it starts now. */
  readonly after?: LiveResume | undefined;
  send(message: LiveMessage): void;
}

/** A watcher that was let in. */
export interface Watching {
  /** Everything up to here was sent; unset until then. */
  readonly at: LivePosition | undefined;
  leave(): void;
}

/** A watcher of a tail. */
export class Member {
  constructor(
    readonly watcher: Watcher,
    /** It has everything up to here. */
    public after: Long,
  ) {}

  send(message: LiveMessage): void {
    this.after = message.at.position;
    this.watcher.send(message);
  }
}

/** The watchers of a tail, by what they watch. */
export class Members {
  readonly #all = new Set<Member>();
  readonly #lists = new Set<Member>();
  readonly #byKey = new Map<string, Set<Member>>();

  constructor(members: Iterable<Member> = []) {
    for (const member of members) this.add(member);
  }

  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): Iterator<Member> {
    return this.#all.values();
  }

  add(member: Member): void {
    const { key } = member.watcher;
    this.#all.add(member);
    if (key === undefined) {
      this.#lists.add(member);
      return;
    }
    const own = this.#byKey.get(key) ?? new Set();
    this.#byKey.set(key, own.add(member));
  }

  delete(member: Member): void {
    const { key = '' } = member.watcher;
    this.#all.delete(member);
    this.#lists.delete(member);
    const own = this.#byKey.get(key);
    if (own?.delete(member) === true && own.size === 0) this.#byKey.delete(key);
  }

  has(member: Member): boolean {
    return this.#all.has(member);
  }

  /** Whether someone watches the row. */
  watches(key: string): boolean {
    return this.#lists.size > 0 || this.#byKey.has(key);
  }

  *of(key: string): Iterable<Member> {
    yield* this.#lists;
    yield* this.#byKey.get(key) ?? [];
  }
}
