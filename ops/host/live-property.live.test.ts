import * as assert from 'uvu/assert';
import { RebuildMode } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { withLiveHosts, writeNote } from '../testing/live-hosts.js';
import type { Host } from './host.js';
import { type LiveEvent, LiveReader } from '../testing/live-reader.js';

const test = suite('live streams and lists');

/** The same run for the same seed. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const shelves = ['a', 'b', 'c'];
const lists = () => [
  new FollowingList('/notes', '', ({ noteId }) => String(noteId)),
  new FollowingList('/notes', 'filter[shelf]=a', ({ noteId }) => String(noteId)),
  new FollowingList('/notes', 'filter[n][gte]=1', ({ noteId }) => String(noteId)),
  new FollowingList('/shelves', '', ({ shelf }) => String(shelf)),
  new FollowingList('/shelves', 'filter[n]=1', ({ shelf }) => String(shelf)),
];

test('whatever happens, a list to which its stream is applied is the list that readers see', () =>
  withLiveHosts({ count: 2 }, async (started, start, databaseUrl) => {
    const seed = Date.now() % 1_000_000;
    const upTo = numbersFrom(seed);
    const hosts: Host[] = [...started];
    const urlOf = () => hosts[upTo(hosts.length)]?.url ?? '';
    const ids = Array.from({ length: 8 }, () => newUuid());
    const followed = lists();
    for (const list of followed) await list.connect(urlOf());
    const actions: (() => Promise<unknown>)[] = [
      ...Array.from({ length: 12 }, () => () => {
        const text = upTo(4) === 0 ? '' : `text ${upTo(1_000)}`;
        const note = { noteId: ids[upTo(ids.length)] ?? '', shelf: shelves[upTo(3)] ?? '', n: upTo(3), text };
        return writeNote(urlOf(), note, { prefer: '' });
      }),
      () => followed[upTo(followed.length)]?.connect(urlOf()) ?? Promise.resolve(),
      () => followed[upTo(followed.length)]?.apply(urlOf()) ?? Promise.resolve(),
    ];
    const rare = [
      () => hosts[0]?.service.rebuild('notes', { mode: RebuildMode.BlueGreen }),
      () => hosts[0]?.service.rebuild('shelves', { mode: RebuildMode.InPlace }),
      async () => {
        const leaving = hosts.shift();
        hosts.push(await start());
        await leaving?.stop();
        for (const list of followed) await list.connect(urlOf());
      },
    ];
    for (let n = 0; n < 120; n++) {
      await actions[upTo(actions.length)]?.();
      if (n % 40 === 39) await rare[(n - 39) / 40]?.();
    }
    await writeNote(urlOf(), { noteId: newUuid(), shelf: 'end', n: 1 });
    for (const list of followed) {
      const url = urlOf();
      await until(async () => {
        await list.apply(url);
        return JSON.stringify(list.followed) === JSON.stringify(await list.list(url));
      }).catch(async () => assert.equal(list.followed, await list.list(url), `seed ${seed}`));
      await list.disconnect();
    }
    const positions = new Set(
      (await rowsOf(databaseUrl, 'SELECT global_position FROM svc_events')).map(([position]) =>
        Number(position),
      ),
    );
    for (const { changes } of followed) {
      const sent = changes.map(({ id }) => id);
      assert.is(new Set(sent).size, sent.length, `seed ${seed}: no change twice`);
      assert.ok(
        sent.every((id) => positions.has(Number.parseInt(id, 10))),
        `seed ${seed}: every change is an event`,
      );
    }
  }));

type Row = Readonly<Record<string, unknown>>;

/** A client that keeps a list up to date: it reads it when a stream is ready, and applies what the stream sends. */
class FollowingList {
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
