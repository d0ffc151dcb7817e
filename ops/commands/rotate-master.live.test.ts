import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { newUuid } from '../../contracts/uuid.js';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { ada, bob, emailsRead, forget, masterKey, register, withHost } from '../testing/customer-hosts.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { svc } from '../testing/spawned-host.js';

const test = suite('svc store rotate-master');

const args = ['store', 'rotate-master', '--reason', 'yearly'] as const;
const newMaster = () => randomBytes(32).toString('base64');

test('killed in the middle, hosts with both master keys read and write everything, and a second run ends it', () =>
  withStore(async (url) => {
    const next = newMaster();
    const both = { SVC_MASTER_KEY: next, SVC_MASTER_KEY_OLD: masterKey };
    const all = Array.from({ length: 70 }, (_, n) => ({
      ...bob,
      customerId: newUuid(),
      email: `c${n}@x.example`,
    }));
    await withHost(url, (host) => register(host.url, ada, ...all));
    await withHost(
      url,
      async (host) => {
        const env = { DATABASE_URL: url, ...both, SVC_ACTOR: 'ann' };
        const killed = await svc(args, { ...env, SVC_FAILPOINTS: 'master-after-chunk' });
        assert.is.not(killed.code, 0);
        const left = `SELECT count(*) FILTER (WHERE master = 1) > 0, count(*) FILTER (WHERE master = 2) > 0 FROM svc_subject_keys WHERE subject <> ''`;
        assert.equal(await rowsOf(url, left), [['true', 'true']]);
        for (const one of [ada, ...all])
          assert.equal(await emailsRead(host.url, one), { emails: [one.email] });
        await register(host.url, bob);
        assert.is((await forget(url, ada.customerId)).code, 0);
        const again = await svcInProcess([...args, '--json'], env);
        assert.equal([again.code, again.stderr], [0, '']);
        const { rotation, left: unopened } = JSON.parse(again.stdout) as Record<string, unknown>;
        assert.equal([rotation, unopened], ['resumed', []]);
      },
      both,
    );
    await withHost(
      url,
      async (host) => {
        for (const one of [bob, ...all])
          assert.equal(await emailsRead(host.url, one), { emails: [one.email] });
        assert.equal(await emailsRead(host.url, ada), { emails: [null] });
      },
      { SVC_MASTER_KEY: next },
    );
    const done = await svcInProcess(['store', 'rotate-master'], { DATABASE_URL: url, ...both });
    assert.match(done.stdout, 'SVC_MASTER_KEY_OLD is not needed any more');
  }));

test('killed right after it has begun, a host with the new master key alone does not start, and says why', () =>
  withStore(async (url) => {
    const next = newMaster();
    await withHost(url, (host) => register(host.url, ada));
    const env = { DATABASE_URL: url, SVC_MASTER_KEY: next, SVC_MASTER_KEY_OLD: masterKey };
    await svc(args, { ...env, SVC_FAILPOINTS: 'master-begun' });
    const started = await withHost(url, () => Promise.resolve(), { SVC_MASTER_KEY: next }).catch(String);
    assert.match(
      String(started),
      'set SVC_MASTER_KEY_OLD to that one until svc store rotate-master has ended',
    );
    assert.is((await svcInProcess(args, env)).code, 0);
    await withHost(url, (host) => register(host.url, bob), { SVC_MASTER_KEY: next });
  }));

test('a missing or wrong master key is refused on one line, and a key that none opens is an exit code of 1', () =>
  withStore(async (url) => {
    await withHost(url, (host) => register(host.url, ada));
    const refusal = async (env: NodeJS.ProcessEnv) => {
      const { code, stdout, stderr } = await svcInProcess(args, { DATABASE_URL: url, ...env });
      assert.equal([code, stdout], [1, '']);
      assert.match(stderr, /^svc: [^\n]+\n$/);
      return stderr;
    };
    assert.match(await refusal({ SVC_MASTER_KEY: newMaster() }), 'and SVC_MASTER_KEY_OLD to the one before');
    const same = { SVC_MASTER_KEY: masterKey, SVC_MASTER_KEY_OLD: masterKey };
    assert.match(await refusal(same), 'are the same');
    const wrong = { SVC_MASTER_KEY: newMaster(), SVC_MASTER_KEY_OLD: newMaster() };
    assert.match(await refusal(wrong), 'nothing has changed');
    assert.match(await refusal({ SVC_MASTER_KEY: 'short' }), 'SVC_MASTER_KEY must be 32 random bytes');
    await rowsOf(url, `UPDATE svc_subject_keys SET wrapped_key = '\\x00' WHERE subject <> ''`);
    const both = { DATABASE_URL: url, SVC_MASTER_KEY: newMaster(), SVC_MASTER_KEY_OLD: masterKey };
    const left = await svcInProcess(args, both);
    assert.is(left.code, 1);
    assert.match(left.stdout, /^Rewrapped 0 keys of subjects\.\n[0-9a-f]{64}\n$/);
    assert.match(left.stderr, /^svc: 1 key of subjects can be neither opened nor wrapped, [^\n]+\n$/);
  }));
