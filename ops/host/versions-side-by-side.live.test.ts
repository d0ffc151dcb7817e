import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { until } from '../../runtime/kit/until.js';
import {
  withScene,
  happen,
  rowOf,
  runs,
  Started,
  Checked,
  Packed,
  type Scene,
} from '../testing/shop-versions.js';

const test = suite('two versions of an application beside each other');

const errorOf = async ({ rows }: Scene, id: string): Promise<string> =>
  (await rows(`SELECT error FROM svc_stuck_work WHERE key = '${id}' AND state = 'parked'`))[0]?.[0] ?? '';

test('versions: no instance is lost or reset, and what cannot go on is parked and named', () =>
  withScene(async (scene) => {
    const [simple, checked, later] = [newUuid(), newUuid(), newUuid()];
    await scene.start(1);
    await until(() => runs(scene, 1));
    await happen(1, Started, simple, checked);
    await happen(1, Checked, checked);
    await until(async () => (await rowOf(scene, checked)) === '1 checking running');

    const second = await scene.start(2);
    await until(() => runs(scene, 2));
    await happen(1, Checked, simple);
    await until(async () => (await rowOf(scene, simple)) === '2 packing running');
    await happen(2, Started, later);
    await until(async () => (await rowOf(scene, later)) === '2 waiting running');
    await happen(2, Packed, checked);
    await until(async () => (await rowOf(scene, checked)) === '1 checking parked');
    assert.match(await errorOf(scene, checked), /^process-version: shipping of version 1 cannot continue/);

    await second.stop();
    await until(async () => (await rowOf(scene, checked)) === '1 ended ended');
    await happen(1, Packed, simple, later);
    await until(async () => (await errorOf(scene, simple)) !== '' && (await errorOf(scene, later)) !== '');
    for (const id of [simple, later])
      assert.match(
        await errorOf(scene, id),
        /^process-version: shipping of version 2 cannot continue with version 1/,
      );
    assert.is(await rowOf(scene, simple), '2 packing running');

    await scene.start(2);
    for (const id of [simple, later]) await until(async () => (await rowOf(scene, id)) === '2 ended ended');
    assert.equal(await scene.rows('SELECT key FROM svc_stuck_work'), []);
    assert.equal(await scene.rows(`SELECT name FROM svc_timers WHERE kind = 'process'`), []);
  }));
