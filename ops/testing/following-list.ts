import { LiveReader, type LiveEvent } from './live-reader.js';

type Row = Readonly<Record<string, unknown>>;

/** A client that keeps a list up to date: it reads it when a stream is ready, and applies what the stream sends. */
export class FollowingList {
  readonly rows = new Map<string, Row>();
  /** All changes that came, over all connections. */
  readonly changes: LiveEvent[] = [];
  resets = 0;
  #reader: LiveReader | undefined;
  #lastId = '';
  #taken = 0;

  constructor(
    private readonly route: string,
    private readonly query: string,
    private readonly keyOf: (row: Row) => string,
  ) {}

  /** Continues on a host where the last connection ended. */
  async connect(url: string): Promise<void> {
    await this.disconnect();
    const headers: Record<string, string> = this.#lastId === '' ? {} : { 'last-event-id': this.#lastId };
    this.#reader = await LiveReader.open(`${url}${this.route}/live?${this.query}`, headers);
    this.#taken = 0;
    if (this.#lastId === '') await this.#reader.has(1, 'ready');
    await this.apply(url);
  }

  /** Applies what has arrived. */
  async apply(url: string): Promise<void> {
    const events = this.#reader?.events ?? [];
    for (; this.#taken < events.length; this.#taken++) {
      const { event, data, id } = events[this.#taken] as LiveEvent;
      if (event === 'ready' || event === 'reset') await this.#readList(url);
      if (event === 'reset') this.resets++;
      if (event === 'changed') this.rows.set(data.id ?? '', data.row ?? {});
      if (event === 'gone') this.rows.delete(data.id ?? '');
      if (event === 'changed' || event === 'gone') this.changes.push(events[this.#taken] as LiveEvent);
      if (id !== '') this.#lastId = id;
    }
  }

  async disconnect(): Promise<void> {
    await this.#reader?.close();
  }

  /** The list as a reader sees it now, sorted by key. */
  async list(url: string): Promise<readonly (readonly [string, Row])[]> {
    const answer = await fetch(`${url}${this.route}?pageSize=100&${this.query}`);
    const { data } = (await answer.json()) as { readonly data: readonly Row[] };
    return sorted(data.map((row) => [this.keyOf(row), row]));
  }

  get followed(): readonly (readonly [string, Row])[] {
    return sorted([...this.rows]);
  }

  async #readList(url: string): Promise<void> {
    const list = await this.list(url);
    this.rows.clear();
    for (const [key, row] of list) this.rows.set(key, row);
  }
}

const sorted = (rows: readonly (readonly [string, Row])[]): readonly (readonly [string, Row])[] =>
  rows.toSorted(([a], [b]) => (a < b ? -1 : 1));
