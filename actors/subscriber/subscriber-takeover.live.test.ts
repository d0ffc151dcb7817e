import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/testing/until.js';
import {
  withSubscribers,
  stored,
  ownerOf,
  mustBeComplete,
  type Scene,
  type Spawned,
} from '../testing/subscriber-hosts.js';

const test = suite('subscriber process');

/**
 * Another subscriber that is running and waits, so that the test does not measure how long a process takes to start.
 */
async function standby({ database, spawn: start }: Scene): Promise<Spawned> {
  const one = start();
  await until(async () => {
    const text = 'SELECT FROM pg_stat_activity WHERE application_name = $1';
    return (await database.rows({ text, values: [one.owner] })).length > 0;
  });
  return one;
}

test('of two subscribers one is active; when it is killed the other takes over within 5 s', () =>
  withSubscribers(async (scene) => {
    const { database, spawn: start, send } = scene;
    const first = start();
    await until(async () => (await ownerOf(database)) === first.owner);
    const second = await standby(scene);
    await send(200);
    await until(async () => (await stored(database)) === 200);
    first.child.kill('SIGKILL');
    const took = await until(async () => (await ownerOf(database)) === second.owner);
    assert.ok(took < 5_000, `${took} ms`);
    await send(200);
    await until(async () => (await stored(database)) >= 400);
    await mustBeComplete(database, 400);
  }));

test('a frozen subscriber is replaced within 5 s, and does no harm when it wakes up', () =>
  withSubscribers(async (scene) => {
    const { database, spawn: start, send } = scene;
    const frozen = start();
    await until(async () => (await ownerOf(database)) === frozen.owner);
    const other = await standby(scene);
    await send(100);
    await until(async () => (await stored(database)) === 100);
    frozen.child.kill('SIGSTOP');
    const took = await until(async () => (await ownerOf(database)) === other.owner);
    assert.ok(took < 5_000, `${took} ms`);
    await send(300);
    await until(async () => (await stored(database)) >= 400);
    frozen.child.kill('SIGCONT');
    await send(300);
    await until(async () => (await stored(database)) >= 700);
    assert.is(await ownerOf(database), other.owner);
    await mustBeComplete(database, 700);
  }));
