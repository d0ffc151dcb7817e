import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { openRaw, refusalIn } from '../../endpoints/testing/http-client.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import {
  withHost,
  bearer,
  create,
  list,
  mutate,
  mustServe,
  permissions,
  type Env,
  type Scene,
} from '../testing/authenticated-host.js';

const test = suite('authentication of a host');

const secret = 'a secret of thirty-two bytes, no less';

const bySecret = { SVC_AUTH: 'jwt,api-key', SVC_JWT_SECRET: secret, SVC_JWT_AUDIENCE: 'orders' };

const withSecret = sharedIn<Scene>(test, (body) => withHost(bySecret, body));

/** Signed by hand: what the host accepts does not depend on the library that it uses. */
function signed(claims: Readonly<Record<string, unknown>>, key = secret): string {
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1_000) + 60;
  const text = `${encoded({ alg: 'HS256' })}.${encoded({ aud: 'orders', sub: 'ada', exp, ...claims })}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

async function mustRefuse(
  url: string,
  headers: Env,
  code: 'unauthenticated' | 'access-denied',
): Promise<void> {
  const refusal = `${code === 'unauthenticated' ? 401 : 403} ${code}`;
  assert.is(refusalIn(await create(url, headers)), refusal);
  assert.is(refusalIn(await list(url, headers)), refusal);
  assert.is(await mutate(url, headers), code);
}

test('REST, GraphQL and reads accept the same token, and refuse the same', () =>
  withSecret(async ({ url, databaseUrl }) => {
    await mustServe(url, bearer(signed({ permissions, tenant: 'north', name: 'Ada L.' })));
    await mustRefuse(url, {}, 'unauthenticated');
    await mustRefuse(url, bearer(signed({ permissions: ['orders:none'] })), 'access-denied');
    await mustRefuse(url, bearer(signed({ permissions }, `${secret}!`)), 'unauthenticated');
    for (const token of [
      signed({ permissions, aud: 'shipping' }),
      signed({ permissions, exp: 1 }),
      signed({ permissions, tenant: 5 }),
      'svc_',
      '',
    ])
      assert.is(refusalIn(await create(url, bearer(token))), '401 unauthenticated');
    const ofTenants = 'FROM svc_event_stream WHERE tenant_id IS NOT NULL';
    const scopes = await rowsOf(databaseUrl, `SELECT DISTINCT tenant_id, user_id ${ofTenants}`);
    assert.equal(scopes, [['north', 'ada']]);
    const named = "SELECT DISTINCT data->>'userName', data->'scope'->>'userName' FROM svc_system_stream";
    assert.equal(
      await rowsOf(
        databaseUrl,
        `${named} WHERE data->>'commandType' = 'CreateOrder' AND data->'scope'->>'tenantId' = 'north'`,
      ),
      [['Ada L.', 'null']],
      'the name of a person is in the audit of the command, and in no envelope',
    );
    await mustRefuse(url, { 'x-tenant': 'north', 'x-user': 'ada' }, 'unauthenticated');
  }));

test('a token of a megabyte, or two of them, is refused, and the host serves on', () =>
  withSecret(async ({ url }) => {
    const good = signed({ permissions });
    assert.is((await create(url, bearer('a'.repeat(1 << 20)))).status, 431);
    assert.is(refusalIn(await create(url, bearer('a'.repeat(10_000)))), '401 unauthenticated');
    const twice = [good, signed({})].map((token) => `Authorization: Bearer ${token}`);
    const raw = await openRaw(url);
    raw.write(
      ['GET /orders HTTP/1.1', 'Host: localhost', ...twice, 'Connection: close', '', ''].join('\r\n'),
    );
    const answer = await raw.closed;
    assert.match(answer, /^HTTP\/1\.1 400 [^]*Send one Authorization header/);
    await mustServe(url, bearer(good));
  }));

test('an API key works from its creation until it is revoked, on a running host', () =>
  withHost(bySecret, async ({ url, databaseUrl, svc: run }) => {
    const given = [
      '--name',
      'till',
      '--permissions',
      permissions.join(),
      '--tenant',
      'north',
      '--user',
      'ada',
    ];
    const { id, key } = JSON.parse(
      await run('keys', 'create', ...given, '--reason', 'new till', '--json'),
    ) as {
      id: string;
      key: string;
    };
    assert.match(key, new RegExp(`^svc_${id}_[\\w-]{43}$`));
    // Too many wrong credentials in a minute would be refused unseen.
    await until(async () => {
      await delay(500);
      return (await list(url, bearer(key))).status === 200;
    });
    await mustServe(url, bearer(key));
    await mustServe(url, { 'x-api-key': key });
    await mustServe(url, bearer(signed({ permissions })));
    assert.is(refusalIn(await create(url, { 'x-api-key': `${key.slice(0, -1)}.` })), '401 unauthenticated');
    const robot = JSON.parse(
      await run('keys', 'create', '--name', 'robot', '--permissions', permissions.join(), '--json'),
    ) as { id: string; key: string };
    await until(async () => {
      await delay(500);
      return (await create(url, bearer(robot.key))).status === 200;
    });
    const named = `SELECT DISTINCT event_type, data->>'userId', data->'scope'->>'apiKey', data->'scope'->>'userName'
      FROM svc_system_stream WHERE data->'scope'->>'apiKey' = 'svc_${robot.id}' AND event_type LIKE '%Audited' ORDER BY 1`;
    assert.equal(await rowsOf(databaseUrl, named), [
      ['CommandAudited', 'null', `svc_${robot.id}`, 'robot'],
      ['EventAudited', 'null', `svc_${robot.id}`, 'robot'],
    ]);
    assert.match(await run('audit', 'tail', '--user', `svc_${robot.id}`), `by svc_${robot.id} @ -`);
    await run('keys', 'revoke', robot.id);
    const listed = await run('keys', 'list', '--json');
    assert.not.match(listed, key.slice(13));
    assert.equal(
      (JSON.parse(listed) as { id: string; name: string }[]).map(({ id: one, name }) => [one, name]),
      [
        [id, 'till'],
        [robot.id, 'robot'],
      ],
    );
    assert.match(
      await run('keys', 'list'),
      `svc_${id}  till  orders:read,orders:write  tenant north  user ada`,
    );
    await run('keys', 'revoke', id, '--reason', 'stolen');
    const took = await until(async () => (await list(url, bearer(key))).status === 401, 10_000);
    assert.ok(took < 3_000, `a revoked key worked for another ${took} ms`);
    await mustRefuse(url, bearer(key), 'unauthenticated');
    assert.equal(
      await rowsOf(
        databaseUrl,
        `SELECT data->>'action', data->>'target', data->>'actor', data->>'reason' FROM svc_system_stream
          WHERE event_type = 'OperatorActed' ORDER BY stream_position`,
      ),
      [
        ['keys create', `svc_${id}`, 'grace', 'new till'],
        ['keys create', `svc_${robot.id}`, 'grace', 'null'],
        ['keys revoke', `svc_${robot.id}`, 'grace', 'null'],
        ['keys revoke', `svc_${id}`, 'grace', 'stolen'],
      ],
    );
    const scopes = `SELECT DISTINCT tenant_id, user_id FROM svc_event_stream WHERE tenant_id IS NOT NULL`;
    assert.equal(await rowsOf(databaseUrl, scopes), [['north', 'ada']]);
  }));
