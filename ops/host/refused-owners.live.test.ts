import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { execute, withName } from '../../runtime/kit/database.js';
import { withPostgres } from '../../runtime/testing/postgres-release.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { refusalOf } from '../testing/refused-start.js';

const test = suite('owners that are refused');

test('a login whose owner may not create the runtime role is refused, with the statements of a superuser', () =>
  withPostgres(undefined, async (server) => {
    await execute(server, 'DROP ROLE IF EXISTS svc_runtime');
    for (const role of ['plain_owner', 'plain_login'])
      await execute(server, `CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    await execute(server, 'CREATE DATABASE shop OWNER plain_owner');
    const as = (user: string): string => {
      const url = new URL(withName(server, 'shop'));
      [url.username, url.password] = [user, 'secret'];
      return url.href;
    };
    const env = { DATABASE_URL: as('plain_login'), DATABASE_OWNER_URL: as('plain_owner') };
    const refusal = await refusalOf(env);
    assert.match(
      refusal,
      /^svc: "plain_login" reaches the store through the role svc_runtime, which the owner plain_owner may not create or grant\. [^\n]+\n$/,
    );
    assert.is((await svcInProcess(['migrate'], env)).stderr, refusal);
    await execute(server, 'CREATE ROLE svc_runtime NOLOGIN');
    assert.is(await refusalOf(env), refusal, 'it may not grant it either');
    await execute(server, 'GRANT svc_runtime TO "plain_login"');
    assert.is(await refusalOf(env), 'started');
  }));
