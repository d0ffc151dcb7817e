import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { execute, withName } from '../../../runtime/kit/database.js';
import { until } from '../../../runtime/kit/until.js';
import { withFront } from '../../testing/simulated-deployments.js';

const test = suite('svc deploy without its store');

test('a store that is lost during a stage ends the command in one line, and the deployment is reverted once it is back', () =>
  withFront(async ({ url, start, front, states }) => {
    const [server, name] = [withName(url, 'postgres'), new URL(url).pathname.slice(1)];
    const accept = (isOpen: boolean) =>
      execute(server, `ALTER DATABASE "${name}" ALLOW_CONNECTIONS ${isOpen}`);
    const command = start(['canary', '--revision', '1.5.0', '--stage-time', '1h']);
    const printed = (): string => command.output.stderr.join('');
    try {
      await until(() => front().toNew === 10);
      await accept(false);
      // Again and again: a connection that was about to be opened has no database's name yet.
      await until(async () => {
        await execute(
          server,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
        );
        return printed().includes('The deployment cannot be reverted yet');
      });
      assert.is(front().toNew, 10, 'without the store nobody knows what to go back to');
      await accept(true);
      assert.is((await command.ended).code, 1);
      const [lost = '', ...watcher] = printed().trimEnd().split('\n');
      assert.match(lost, /^svc: PostgreSQL does not answer \(.*\); see whether/);
      assert.equal(
        watcher.filter((line) => !/^svc: The (?:deployment|deploy command) /.test(line)),
        [],
      );
      assert.match(
        watcher.at(-1) ?? '',
        /^svc: The deployment of 1\.5\.0 was reverted to 1\.4\.2: the deploy command/,
      );
      assert.equal([front().toNew, front().sides.old.replicas, front().sides.new.replicas], [0, 3, 0]);
      assert.equal(await states(), [['1.5.0', 'reverted']]);
    } finally {
      await accept(true);
      await command.kill('SIGKILL');
    }
  }));
