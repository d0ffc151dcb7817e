import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { withScene, runs, type Scene } from '../testing/shop-versions.js';

const test = suite('two versions of an application beside each other');

const crons = async ({ rows }: Scene): Promise<string> =>
  (
    await rows(
      `SELECT concat_ws(' ', name, data->>'cron', parked) FROM svc_timers WHERE kind = 'schedule' ORDER BY name`,
    )
  ).join('; ');

test('versions: the newest version that runs says when a schedule is due', () =>
  withScene(async (scene) => {
    const [one, two] = [
      'nightly-close 0 3 * * * f',
      'nightly-close 0 4 * * * f; weekly-close 0 5 * * 1 f',
    ] as const;
    const first = await scene.start(1);
    await until(async () => (await crons(scene)) === one);
    const second = await scene.start(2);
    await until(async () => (await crons(scene)) === two);
    await first.stop();
    await scene.start(1);
    await until(async () => (await scene.rows('SELECT count(*) FROM svc_hosts')).flat().includes('2'));
    await until(() => runs(scene, 2));
    assert.is(await crons(scene), two);

    await second.stop();
    await until(async () => (await crons(scene)).startsWith(one));
    await scene.rows(`UPDATE svc_timers SET due_at = clock_timestamp() WHERE name = 'weekly-close'`);
    await until(async () => (await crons(scene)) === `${one}; weekly-close 0 5 * * 1 t`);

    await scene.start(2);
    await until(async () => (await crons(scene)) === two);
    await until(
      async () => (await scene.rows(`SELECT 1 FROM svc_events WHERE event_type = 'Closed'`)).length > 0,
    );
  }));
