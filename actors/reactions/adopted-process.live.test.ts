import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { adoptReaction } from '../../runtime/reactions/operate.js';
import { until } from '../../runtime/kit/until.js';
import {
  type Scene,
  names,
  withScene,
  place,
  reserved,
  numbers,
  sorted,
  statesOf,
  killed,
} from '../testing/operated-hosts.js';

const test = suite('operators and hosts that die, sleep and are replaced');

test('a renamed reaction that is adopted goes on where the old one was killed: lost 0, doubled 0', () =>
  withScene(async (scene) => {
    const old = scene.start();
    await place(scene, 0, 24);
    await until(async () => (await reserved(scene)).length >= 12);
    await killed(old);
    await place(scene, 24, 36);
    await until(async () => (await adoptReaction(scene.call, names)) === 'adopted');
    scene.start('hold-stock');
    await place(scene, 36, 48);
    await until(async () => (await reserved(scene)).length >= 48);
    assert.equal(sorted(await reserved(scene)), numbers(48));
    assert.equal(await statesOf(scene).then((states) => Object.keys(states)), ['hold-stock']);
  }));

test('a host that slept while its reaction was adopted sends nothing when it wakes', () =>
  withScene(async (scene) => {
    const sleeper = scene.start();
    await place(scene, 0, 12);
    await until(async () => (await reserved(scene)).length === 12);
    sleeper.kill('SIGSTOP');
    await place(scene, 12, 24);
    await until(async () => (await adoptReaction(scene.call, names)) === 'adopted');
    scene.start('hold-stock');
    await until(async () => (await reserved(scene)).length === 24);
    sleeper.kill('SIGCONT');
    // It has taken a lease again, so it has tried.
    await until(async () => (await statesOf(scene))['hold-stock'] !== undefined && (await isLeased(scene)));
    await place(scene, 24, 36);
    await until(async () => (await reserved(scene)).length >= 36);
    assert.equal(sorted(await reserved(scene)), numbers(36));
  }));

const isLeased = async ({ owner }: Scene): Promise<boolean> =>
  (
    await owner.rows({
      text: "SELECT 1 FROM svc_leases WHERE name LIKE 'reaction/reserve-stock/%' AND lease_until > clock_timestamp()",
    })
  ).length > 0;
