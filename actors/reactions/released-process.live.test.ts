import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { releaseKeys } from '../../runtime/reactions/operate.js';
import { until } from '../../runtime/kit/until.js';
import { type Scene, withScene, place, reserved, killed } from '../testing/operated-hosts.js';

const test = suite('operators and hosts that die, sleep and are replaced');

const parked = async ({ owner }: Scene): Promise<number> =>
  Number((await owner.rows({ text: "SELECT count(*) FROM svc_stuck_work WHERE state = 'parked'" }))[0]?.[0]);

test('a host with a newer version releases what an earlier one has parked, and handles it once', () =>
  withScene(async (scene) => {
    scene.start();
    await place(scene, 0, 12, (n) => (n === 3 ? 'refused' : String(n)));
    await until(async () => (await parked(scene)) === 1);
    scene.start('reserve-stock', '1.1.0');
    await until(async () => (await reserved(scene)).length === 12);
    assert.is((await reserved(scene)).filter((item) => item === 'refused').length, 1);
    assert.is(await parked(scene), 0);
  }));

test('a key that is released while its host is killed or frozen is tried by another host, once', () =>
  withScene(async (scene) => {
    for (const [signal, round] of [
      ['SIGKILL', 0],
      ['SIGSTOP', 1],
    ] as const) {
      const first = scene.start();
      await place(scene, round * 12, round * 12 + 12, (n) => (n % 12 === 3 ? 'refused' : String(n)));
      await until(async () => (await parked(scene)) === 1);
      first.kill(signal);
      assert.is(await releaseKeys(scene.call, 'reserve-stock'), 1);
      // Another host of the same version would park it again.
      const other = scene.start('reserve-stock', '1.1.0');
      await until(
        async () => (await reserved(scene)).filter((item) => item === 'refused').length === round + 1,
      );
      await until(async () => (await reserved(scene)).length === round * 12 + 12);
      first.kill('SIGKILL');
      await killed(other);
    }
    assert.is(new Set(await reserved(scene)).size, 23);
  }));
