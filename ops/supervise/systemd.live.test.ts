import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { withDatabase } from '../../runtime/kit/database.js';
import { program } from '../../runtime/testing/installed-program.js';
import { until } from '../../runtime/kit/until.js';
import { withSupervisor } from '../testing/spawned-supervisor.js';
import { watchdogMs } from './systemd.js';

const test = suite('systemd');

const unit = fileURLToPath(new URL('../../../ops/systemd/svc.service', import.meta.url));
const deployed = fileURLToPath(new URL('../../../ops/systemd/svc-deployed.service', import.meta.url));
const template = fileURLToPath(new URL('../../../ops/systemd/svc@.service', import.meta.url));

/** Listens in place of systemd. */
async function withNotifySocket(
  body: (path: string, received: () => string) => Promise<void>,
): Promise<void> {
  const socat = await program('socat');
  await withFolder(async (folder) => {
    const path = join(folder, 'notify');
    const ear = spawn(socat, ['-u', `UNIX-RECV:${path}`, '-'], { stdio: ['ignore', 'pipe', 'ignore'] });
    let received = '';
    ear.stdout.setEncoding('utf8').on('data', (text: string) => (received += text));
    const ended = once(ear, 'close');
    try {
      while (
        await access(path).then(
          () => false,
          () => true,
        )
      )
        await delay(10);
      await body(path, () => received);
    } finally {
      ear.kill();
      await ended;
    }
  });
}

test('systemd is notified when all hosts are ready, by the watchdog, and at the stop', async () => {
  await program('systemd-notify', 'systemd');
  await withDatabase((url) =>
    withNotifySocket((path, received) => {
      const env = { DATABASE_URL: url, NOTIFY_SOCKET: path, WATCHDOG_USEC: '400000' };
      return withSupervisor({ env }, async (supervisor) => {
        while (!/READY=1/.test(received()) || !/WATCHDOG=1/.test(received())) await delay(20);
        assert.match(received(), `STATUS=2 hosts at ${supervisor.url}`);
        await supervisor.kill('SIGTERM');
        await until(() => received().includes('STOPPING=1'));
      });
    }),
  );
});

test('the watchdog is notified twice as often as systemd requires, and only by the process it watches', () => {
  assert.is(watchdogMs({ WATCHDOG_USEC: '10000000' }), 5_000);
  assert.is(watchdogMs({ WATCHDOG_USEC: '10000000', WATCHDOG_PID: '7' }, 7), 5_000);
  assert.is(watchdogMs({ WATCHDOG_USEC: '10000000', WATCHDOG_PID: '8' }, 7), undefined);
  assert.is(watchdogMs({}), undefined);
});

test('systemd accepts the units', async () => {
  const analyze = await program('systemd-analyze', 'systemd');
  for (const path of [unit, template, deployed]) {
    const { stderr } = await promisify(execFile)(analyze, ['verify', '--man=no', path]).catch(
      (error: unknown) => error as { stderr: string },
    );
    assert.equal(
      stderr.split('\n').filter((line) => /\bsvc(?:@\w*|-deployed)?\.service/.test(line)),
      [],
    );
  }
});

test('the unit for several services differs in names alone', async () => {
  const [one, several] = [await readFile(unit, 'utf8'), await readFile(template, 'utf8')];
  const named = several.replace('Hosts of %i', 'Hosts of svc-runtime').replaceAll('/svc/%i.env', '/svc.env');
  const body = (text: string): string => text.slice(text.indexOf('\n'));
  assert.is(body(named.replaceAll('%i', 'svc')), body(one));
});

test('the units start node itself, with the program of the package, so that signals reach the supervisor', async () => {
  const manifest = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  const { name, bin } = JSON.parse(manifest) as { name: string; bin: { svc: string } };
  const starts = await Promise.all(
    [unit, deployed].map(async (path) => /^ExecStart=.*$/m.exec(await readFile(path, 'utf8'))?.[0]),
  );
  const command = `ExecStart=/usr/bin/env node node_modules/${name}/${bin.svc}`;
  assert.equal(starts, [`${command} supervise . --max-memory 1G`, `${command} deploy start`]);
});
