import * as assert from 'uvu/assert';
import { RebuildMode } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { FollowingList } from '../testing/following-list.js';
import { withLiveHosts, writeNote } from '../testing/live-hosts.js';
import type { Host } from './host.js';

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
