import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { withLiveHosts, writeNote } from '../testing/live-hosts.js';
import { ReconnectingWatcher } from '../testing/reconnecting-watcher.js';
import type { Host } from './host.js';

const test = suite('watchers in a storm');

const positionsInLog = async (url: string): Promise<readonly number[]> =>
  (await rowsOf(url, 'SELECT global_position FROM svc_events ORDER BY global_position')).map(([position]) =>
    Number(position),
  );

test('over a reconnect storm and a rolling restart, each watcher gets every change of the log once', () =>
  withLiveHosts({ count: 2, env: { SVC_LIVE_WATCHERS: '200' } }, async (started, start, databaseUrl) => {
    const hosts: Host[] = [...started];
    let turn = 0;
    const urlOf = () => `${hosts[turn++ % hosts.length]?.url}/notes/live`;
    const watchers = Array.from({ length: 16 }, () => new ReconnectingWatcher(urlOf));
    await until(() => watchers.every(({ isReady }) => isReady));
    for (let n = 0; n < 48; n++) {
      await writeNote(hosts[n % hosts.length]?.url ?? '', { noteId: newUuid(), n }, { prefer: '' });
      if (n % 8 === 3) {
        // On a busy machine one may still be about to reconnect.
        await until(() => watchers.every(({ isConnected }) => isConnected));
        await Promise.all(watchers.map((watcher) => watcher.cut()));
      }
      if (n % 20 !== 10) continue;
      const leaving = hosts.shift();
      hosts.push(await start());
      await leaving?.stop();
    }
    const expected = await positionsInLog(databaseUrl);
    assert.is(expected.length, 48);
    await until(() => watchers.every(({ positions }) => positions.length >= expected.length)).catch(
      () => undefined,
    );
    for (const watcher of watchers) await watcher.stop();
    for (const { positions, connections, resets } of watchers) {
      assert.equal(positions, expected);
      assert.ok(connections > 6 && resets === 0, `${connections} connections, ${resets} resets`);
    }
  }));
