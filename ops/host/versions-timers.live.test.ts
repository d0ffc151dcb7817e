import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { until } from '../../runtime/kit/until.js';
import { withScene, happen, rowOf, runs, Started, Checked } from '../testing/shop-versions.js';

const test = suite('two versions of an application beside each other');

test('versions: a timer that another version cannot take waits for one that can', () =>
  withScene(async (scene) => {
    const [checked, packed] = [newUuid(), newUuid()];
    const hasten = () =>
      scene.rows(`UPDATE svc_timers SET due_at = clock_timestamp() WHERE kind = 'process' AND NOT parked`);
    const parked = async () =>
      (await scene.rows(`SELECT key FROM svc_timers WHERE kind = 'process' AND parked`)).flat();
    await scene.start(1);
    await until(() => runs(scene, 1));
    await happen(1, Started, checked);
    await happen(1, Checked, checked);
    await until(async () => (await rowOf(scene, checked)) === '1 checking running');

    const second = await scene.start(2);
    await until(() => runs(scene, 2));
    await happen(2, Started, packed);
    await happen(2, Checked, packed);
    await until(async () => (await rowOf(scene, packed)) === '2 packing running');
    await scene.rows(`UPDATE svc_timers SET due_at = clock_timestamp() WHERE key = '${checked}'`);
    await until(async () => (await parked()).join() === checked);

    await second.stop();
    await until(async () => (await rowOf(scene, checked)) === '1 ended ended');
    await hasten();
    await until(async () => (await parked()).join() === packed);
    assert.is(await rowOf(scene, packed), '2 packing running');

    await scene.start(2);
    await until(async () => (await rowOf(scene, packed)) === '2 ended ended');
    assert.equal(await scene.rows(`SELECT name FROM svc_timers WHERE kind = 'process'`), []);
  }));
