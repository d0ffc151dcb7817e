import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { removeHome } from '../../runtime/database/embedded/server-home.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { startCli } from '../testing/spawned-host.js';
import { durationOf } from '../../runtime/kit/until.js';

const test = suite('a start that is interrupted');

const lastMs = 3_000;
const stepMs = 50;
const mostMs = 12_000;

/** A process dies of the signal until it runs our code; from then on it ends with 0. */
async function interruptAtEveryMoment(env: Readonly<Record<string, string>>): Promise<void> {
  let hasEndedByItself = false;
  for (let ms = 0; ms <= lastMs; ms += stepMs) {
    const host = startCli(['start', 'examples/orders'], env);
    await delay(ms);
    const ended = host.kill('SIGTERM');
    const took = await durationOf(ended);
    const { code, signal } = await ended;
    assert.ok(took < mostMs, `after ${ms} ms it took ${took} ms to end`);
    if (code === 0) hasEndedByItself = true;
    else assert.equal([signal, host.output.stdout], ['SIGTERM', []], `after ${ms} ms it ended with ${code}`);
  }
  assert.ok(hasEndedByItself);
}

test('with an embedded server it ends with 0 in time, whenever the signal comes', () =>
  withFolder(async (dataDir) => {
    await interruptAtEveryMoment({ SVC_DATA_DIR: dataDir });
    await removeHome(dataDir);
  }));

test('with DATABASE_URL it ends with 0 in time, whenever the signal comes', () =>
  withStore((url) => interruptAtEveryMoment({ DATABASE_URL: url })));
