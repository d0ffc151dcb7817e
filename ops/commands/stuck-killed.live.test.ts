import { constants, getPriority } from 'node:os';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { parkKeys, withEmptyStore } from '../../runtime/testing/stuck-scene.js';
import { until } from '../../runtime/kit/until.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { startCli } from '../testing/spawned-host.js';

const test = suite('svc stuck that is killed');

const why = ['--reason', 'a van is back'] as const;

for (const [name, args, target] of [
  ['a retry', ['stuck', 'retry', '--yes'], 'stuck retry|everything'],
  ['a release', ['reactions', 'release', 'reserve-stock'], 'reactions release|reserve-stock'],
] as const)
  test(`${name} of 500 that is killed in the middle continues with its plan, and retries each entry once`, () =>
    withEmptyStore(async (scene) => {
      const { url, owner, all, acted: recorded } = scene;
      await parkKeys(scene, 500);
      await owner.rows({
        text: `CREATE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF OLD.chunk = 4 THEN PERFORM pg_advisory_xact_lock(4711); END IF; RETURN OLD; END $$;
        CREATE TRIGGER stall BEFORE DELETE ON svc_stuck_plans FOR EACH ROW EXECUTE FUNCTION stall()`,
      });
      const session = await owner.session();
      try {
        await session.rows({ text: 'SELECT pg_advisory_lock(4711)' });
        const first = startCli([...args, ...why], { DATABASE_URL: url });
        await until(
          async () => (await all('SELECT 1 FROM pg_locks WHERE objid = 4711 AND NOT granted')).length > 0,
        );
        assert.is(getPriority(first.pid), constants.priority.PRIORITY_BELOW_NORMAL, 'requests come first');
        await first.kill('SIGKILL');
        const [token = ''] = await all('SELECT DISTINCT token FROM svc_stuck_plans');
        assert.match(first.output.stderr.join(''), `plan ${token}: 500 to retry`);
        await session.rows({ text: 'SELECT pg_advisory_unlock(4711)' });
        const rest = ['stuck', 'retry', '--yes', '--plan', token, ...why] as const;
        const again = await svcInProcess(rest, { DATABASE_URL: url });
        assert.is(again.code, 0, again.stderr);
      } finally {
        session.release();
      }
      // The server ends the chunk of the process that was killed.
      await until(async () => (await recorded()).length === 10);
      const [, of] = target.split('|');
      assert.equal(
        new Set(await recorded()),
        new Set([`${target}|50|a van is back`, `stuck retry|${of}|50|a van is back`]),
      );
      assert.equal(await all("SELECT count(*) FROM svc_stuck_work WHERE state = 'parked'"), ['0']);
    }));
