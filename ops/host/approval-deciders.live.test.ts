import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { jsonOf, post, refusalIn, send } from '../../endpoints/testing/http-client.js';
import { until, untilPasses } from '../../runtime/kit/until.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import {
  as,
  askToCancel,
  byToken,
  callTool,
  decide,
  desk,
  grace,
  outcomeOf,
  shown,
  statusOf,
  tokenOf,
} from '../testing/asking-agents.js';
import { bearer, type Env, type Scene, withHost } from '../testing/authenticated-host.js';
import { cookieIn, fromPage, session } from '../testing/signed-pages.js';

const test = suite('who decides about an approval, and who sees it');

const operator = 'the token of an operator, thirty-two bytes';

const withApprovals = sharedIn<Scene>(test, (body) =>
  withHost({ ...byToken, SVC_OPERATOR_TOKEN: operator, SVC_INSPECT: '1' }, body),
);

test('a caller who may not decide, or has asked, is refused, and nothing is carried out', () =>
  withApprovals(async ({ url, svc }) => {
    const both = as('both', ['orders:read', 'orders:write', 'orders:approve']);
    const approval = await askToCancel(url, both);
    const keyWith = async (...more: string[]): Promise<Env> => {
      const made = await svc('keys', 'create', '--permissions', 'orders:approve', '--json', ...more);
      return bearer((JSON.parse(made) as { key: string }).key);
    };
    const [robot, otherKey] = [
      await keyWith('--name', 'robot'),
      await keyWith('--name', 'b', '--user', 'both'),
    ];
    await until(async () => {
      await delay(500);
      return (await decide(url, approval, otherKey)).status !== 401;
    });
    const refused: readonly (readonly [Env, string])[] = [
      [both, '403 approval-needs-another-person'],
      [otherKey, '403 approval-needs-another-person'],
      [robot, '403 approval-needs-identity'],
      [desk, '403 access-denied'],
      [as('other', ['orders:approve'], { tenant: 'south' }), '404 not-found'],
      [bearer(operator), '401 unauthenticated'],
      [{}, '401 unauthenticated'],
    ];
    for (const [who, refusal] of refused) assert.is(refusalIn(await decide(url, approval, who)), refusal);
    assert.is((await shown(url, approval.approvalId, grace)).status, 'asked');
    assert.is(
      (await callTool(url, 'decide_approval', { ...approval }, both)).status,
      'There is no such tool.',
    );
    assert.is(await statusOf(url, approval.orderId), 'created');
  }));

test('of people who decide at once, one counts', () =>
  withApprovals(async ({ url }) => {
    const approval = await askToCancel(url);
    const heidi = as('heidi', ['orders:approve']);
    const answers = await Promise.all(
      [grace, heidi, grace, heidi].map((who, n) => decide(url, approval, who, { agree: n % 2 === 0 })),
    );
    const counted = answers.filter(({ status }) => status === 200).map((one) => jsonOf(one));
    assert.is(counted.length, 1);
    for (const other of answers.filter(({ status }) => status !== 200))
      assert.is(refusalIn(other), '409 approval-closed');
    const isAgreed = (counted[0] as { status: string }).status === 'agreed';
    assert.is((await outcomeOf(url, approval.approvalId)).status, isAgreed ? 'done' : 'refused');
  }));

test('the permission of who asks is checked again when it is carried out', () =>
  withApprovals(async ({ url, svc }) => {
    const keyOf = async (): Promise<readonly [id: string, headers: Env]> => {
      const made = await svc(
        'keys',
        'create',
        '--name',
        'bot',
        '--permissions',
        'orders:read,orders:write',
        '--json',
      );
      const { id, key } = JSON.parse(made) as { id: string; key: string };
      return [id, bearer(key)];
    };
    const [id, bot] = await keyOf();
    await svc('roles', 'define', 'clerk', '--permissions', 'orders:read,orders:write');
    await svc('roles', 'grant', 'temp', '--role', 'clerk');
    const temp = as('temp', []);
    for (const who of [bot, temp])
      await until(async () => {
        await delay(500);
        return (await send(url, { method: 'GET', path: '/orders', headers: who })).status === 200;
      });
    const ofBot = await askToCancel(url, bot);
    const ofTemp = await askToCancel(url, temp);
    await svc('keys', 'revoke', id);
    await svc('roles', 'revoke', 'temp', '--role', 'clerk');
    // What the host has read of keys and roles is a second old at most.
    await delay(1_000);
    for (const [approval, code] of [
      [ofBot, 'approval-needs-identity'],
      [ofTemp, 'access-denied'],
    ] as const) {
      assert.is((await decide(url, approval, grace)).status, 200);
      await untilPasses(async () => {
        const { status, problem } = await shown(url, approval.approvalId, grace);
        assert.equal([status, problem?.code], ['failed', code]);
      });
      assert.is(await statusOf(url, approval.orderId), 'created');
    }
  }));

test('the permission of the command decides alone who sees approvals and decides, over GraphQL too', () =>
  withApprovals(async ({ url }) => {
    const { approvalId, fingerprint, orderId } = await askToCancel(url);
    const list = (headers: Env) => send(url, { method: 'GET', path: '/approvals', headers });
    // The test above has asked with a key, whose name is in the list.
    assert.is((await fetch(`${url}/approvals`, { headers: grace })).status, 200);
    assert.is(refusalIn(await list(desk)), '403 access-denied');
    assert.is(refusalIn(await list({})), '401 unauthenticated');
    const query = `mutation ($command: DecideApprovalInput!) { decideApproval(command: $command) { status } }`;
    const variables = { command: { approvalId, fingerprint, agree: true } };
    const mutate = async (headers: Env) =>
      jsonOf(await post(url, { query, variables }, { path: '/graphql', headers })) as {
        data?: { decideApproval: { status: string } | null };
        errors?: readonly { extensions: { code: string } }[];
      };
    assert.is((await mutate(desk)).errors?.[0]?.extensions.code, 'access-denied');
    assert.equal((await mutate(grace)).data, { decideApproval: { status: 'agreed' } });
    assert.is((await outcomeOf(url, approvalId)).status, 'done');
    const read = { query: `{ approval(id: "${approvalId}") { status askedBy } }` };
    const row = async () => jsonOf(await post(url, read, { path: '/graphql', headers: grace }));
    const done = { data: { approval: { status: 'done', askedBy: 'desk' } } };
    await untilPasses(async () => assert.equal(await row(), done));
    await untilPasses(async () => assert.is(await statusOf(url, orderId), 'cancelled'));
  }));

test('only the agent that asked learns what has become of it', () =>
  withApprovals(async ({ url }) => {
    const { approvalId } = await askToCancel(url);
    const seen = (headers: Env, id = approvalId) => callTool(url, 'approval_get', { id }, headers);
    assert.is((await seen(desk)).result?.status, 'asked');
    assert.is((await seen(as('other', ['orders:write']))).problem?.code, 'not-found');
    assert.is((await seen(as('desk', [], { tenant: 'south' }))).problem?.code, 'not-found');
    for (const id of ['', 'x', approvalId.replace(/.$/, 'g')])
      assert.is((await seen(desk, id)).problem?.code, 'not-found');
  }));

test('a page of the host decides as the person who is signed in, another page cannot', () =>
  withApprovals(async ({ url }) => {
    const signedIn = async (credential: string) =>
      cookieIn(await post(url, { credential }, { path: session, headers: fromPage(url) }));
    const approval = await askToCancel(url);
    const cookie = await signedIn(tokenOf('grace', ['orders:approve', 'svc:observe']));
    assert.is(refusalIn(await decide(url, approval, cookie)), '403 access-denied');
    const foreign = { ...cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    assert.is(refusalIn(await decide(url, approval, foreign)), '403 access-denied');
    const withToken = { ...(await signedIn(operator)), ...fromPage(url) };
    assert.is((await decide(url, approval, withToken)).status, 401);
    const page = { ...cookie, ...fromPage(url) };
    const listed = await send(url, { method: 'GET', path: '/approvals?filter[status]=asked', headers: page });
    assert.is(listed.status, 200);
    assert.is(
      refusalIn(await send(url, { method: 'GET', path: '/orders', headers: page })),
      '401 unauthenticated',
    );
    assert.is((await decide(url, approval, page)).status, 200);
    assert.is((await outcomeOf(url, approval.approvalId)).status, 'done');
  }));
