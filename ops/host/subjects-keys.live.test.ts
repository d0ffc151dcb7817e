import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { post, refusalIn } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { readConfig } from '../config/config.js';
import { ada, app, bob, emailsRead, register, withHost } from '../testing/customer-hosts.js';
import customers from '../testing/customer-service.js';
import { svc } from '../testing/spawned-host.js';
import { startHost } from './host.js';

const test = suite('keys of subjects of a host');

test('a key wrapper of the service takes the place of the master key, and 503 is answered while it is away', () =>
  withStore(async (url) => {
    let isAway = false;
    const mask = (bytes: Uint8Array) =>
      isAway
        ? Promise.reject(new TypeError('no route to host'))
        : Promise.resolve(bytes.map((byte) => ~byte));
    const keyWrapper = { wrap: mask, unwrap: mask };
    const config = readConfig({ SVC_PORT: '0', DATABASE_URL: url });
    const host = await startHost({ ...customers, keyWrapper }, config);
    try {
      await register(host.url, ada);
      assert.equal(await emailsRead(host.url, ada), { emails: [ada.email] });
      isAway = true;
      const answer = await post(host.url, bob, { path: '/customers' });
      assert.is(refusalIn(answer), '503 subject-keys-unavailable');
      assert.not.match(answer.text, /route/);
      isAway = false;
      await register(host.url, bob);
    } finally {
      await host.stop();
    }
  }));

test('without a master key, with a short one or with another one the service refuses to start', () =>
  withStore(async (url) => {
    const refusal = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const { code, stderr, stdout } = await svc(['start', app], { DATABASE_URL: url, ...env });
      assert.is(code, 1);
      assert.not.match(stdout, /listening/);
      return stderr;
    };
    assert.match(await refusal({}), /no master key; set SVC_MASTER_KEY to 32 random bytes in base64/);
    const short = Buffer.from('too short').toString('base64');
    const refused = await refusal({ SVC_MASTER_KEY: short });
    assert.match(refused, /SVC_MASTER_KEY must be 32 random bytes in base64/);
    assert.not.match(refused, new RegExp(short));
    await withHost(url, ({ url: at }) => register(at, ada));
    const other = randomBytes(32).toString('base64');
    assert.match(
      await refusal({ SVC_MASTER_KEY: other }),
      /The master key is not the one that the keys of subjects in this store are wrapped with/,
    );
    await withHost(url, async ({ url: at }) =>
      assert.equal(await emailsRead(at, ada), { emails: [ada.email] }),
    );
  }));
