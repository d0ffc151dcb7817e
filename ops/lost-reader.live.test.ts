import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { freePort } from '../runtime/database/embedded/operating-system.js';
import { withDatabase } from '../runtime/kit/database.js';
import { withStore } from '../runtime/testing/migrated-database.js';
import { withNats } from '../runtime/testing/shared-nats.js';
import { withFolder } from '../runtime/kit/temporary-folder.js';
import { until } from '../runtime/kit/until.js';
import { startCli } from './testing/spawned-host.js';

const test = suite('a reader that has gone');

type Env = Readonly<Record<string, string>>;

/** Starts it with nobody at the other end of its pipes; it must become ready, answer, and drain. */
async function servesUnread(args: readonly string[], env: Env): Promise<void> {
  await withFolder(async (folder) => {
    const port = String(await freePort());
    const process = startCli(args, { SVC_DATA_DIR: folder, ...env, SVC_PORT: port });
    process.leave('stdout');
    process.leave('stderr');
    try {
      const answers = () =>
        fetch(`http://127.0.0.1:${port}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
      await until(answers);
      assert.equal(await process.kill('SIGTERM'), { code: 0, signal: null });
    } finally {
      await process.kill('SIGKILL');
    }
  });
}

test('a host whose log reader has gone before it is ready serves and drains', () =>
  withStore((url) => servesUnread(['start', 'examples/orders'], { DATABASE_URL: url })));

test('so does a supervisor with its hosts', () =>
  withStore((url) => servesUnread(['supervise', 'examples/orders', '--hosts', '1'], { DATABASE_URL: url })));

test('so does the monitor', () =>
  withDatabase((url) =>
    withNats((nats) => servesUnread(['monitor'], { DATABASE_URL: url, NATS_URL: nats })),
  ));

for (const args of [['help'], ['deploy', '--help'], ['migrate', 'examples/orders', '--dry-run'], ['no-verb']])
  test(`svc ${args.join(' ')} ends quietly when its reader has gone`, () =>
    withFolder(async (folder) => {
      const cli = startCli(args, { SVC_DATA_DIR: folder });
      cli.leave('stdout');
      const { code } = await cli.ended;
      const isUnknown = args[0] === 'no-verb';
      assert.is(code, isUnknown ? 1 : 0);
      assert.is(cli.output.stderr.join('').includes('\n    at '), false);
      if (!isUnknown) assert.is(cli.output.stderr.join(''), '');
    }));
