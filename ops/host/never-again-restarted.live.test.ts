import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import {
  RecordHistory,
  withScene,
  isRunning,
  sent,
  each,
  placed,
  withHistory,
  svc,
} from '../testing/thanking-shop.js';

const test = suite('what has happened causes nothing after a start');

test('never again: migrations and a restart send no command', () =>
  withScene(async (scene) => {
    const { host } = await withHistory(scene);
    await svc(scene, 'migrate');
    assert.equal(await sent(scene), each(20));
    await host.stop();
    const restarted = await scene.start();
    assert.equal(await sent(scene), each(20));
    await restarted.stop();
    await scene.start({ model: 2 });
    const replayed = `SELECT 1 FROM svc_system_events c JOIN svc_system_events s ON c.stream_position > s.stream_position
      AND c.data->>'migrationKey' = s.data->>'migrationKey' WHERE s.event_type = 'MigrationItemStarted'
      AND c.event_type = 'MigrationItemCompleted' AND s.data->>'strategy' = 'EventReplay'`;
    await until(async () => (await scene.rows(replayed)).length > 0);
    assert.equal(await sent(scene), each(20));
    await scene.send(RecordHistory.of({ events: placed(1) }));
    assert.equal(await sent(scene), each(21));
  }));

test('never again: a renamed reaction starts at the head', () =>
  withScene(async (scene) => {
    const { host } = await withHistory(scene);
    await host.stop();
    await scene.start({ reaction: 'greet' });
    await isRunning(scene, 'greet');
    assert.equal(await sent(scene), each(20));
    await scene.send(RecordHistory.of({ events: placed(1) }));
    assert.equal(await sent(scene), each(21));
  }));
