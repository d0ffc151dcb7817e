import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { jsonOf, postUntilTaken } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import {
  allRun,
  isAlive,
  misbehavingApp,
  pids,
  type SpawnedSupervisor,
  withSupervisor,
} from '../testing/spawned-supervisor.js';

const moody = suite('host slot of a moody service');

const supervisorOfMoody = sharedIn<SpawnedSupervisor>(moody, (use) =>
  withStore((url) =>
    withSupervisor(
      {
        // A host without a processor takes its memory slowly.
        env: { DATABASE_URL: url, SVC_DEADLINE_MS: '240000' },
        source: misbehavingApp(),
        args: ['--max-memory', '350M', '--max-restarts', '2'],
      },
      use,
    ),
  ),
);

const act = (url: string, mood: string) => postUntilTaken(url, { mood }, { path: '/act' });

moody('a host that uses too much memory is replaced without a failed request', () =>
  supervisorOfMoody(async (supervisor) => {
    const answer = await act(supervisor.url, 'greedy');
    assert.is(answer.status, 200, answer.text);
    const { pid } = jsonOf(answer) as { pid: number };
    await supervisor.until((status) => allRun(status) && !pids(status).includes(pid));
    while (isAlive(pid)) await delay(20);
    assert.is((await act(supervisor.url, 'calm')).status, 200);
    assert.equal(
      (await supervisor.status()).hosts.map(({ restarts }) => restarts),
      [0, 0],
    );
  }),
);

moody('the stack of an error in a host names our sources', () =>
  supervisorOfMoody(async (supervisor) => {
    assert.is((await act(supervisor.url, 'unknown')).status, 500);
    await supervisor.untilLogged('"stack":"TypeError');
    const [, stack = ''] = /"stack":"TypeError([^"]*)/.exec(supervisor.output.stdout.join('')) ?? [];
    assert.match(stack, /\/actors\/commands\/[a-z-]+\.ts:\d+/);
  }),
);

moody('when a host exits too often the others drain, and the supervisor exits with 1', () =>
  supervisorOfMoody(async (supervisor) => {
    while (isAlive(supervisor.pid)) {
      await act(supervisor.url, 'dying').catch(() => undefined);
      await delay(20);
    }
    assert.equal(await supervisor.ended, { code: 1, signal: null });
    assert.match(supervisor.output.stdout.join(''), /cannot be kept running: process \d+ exited with code 3/);
  }),
);
