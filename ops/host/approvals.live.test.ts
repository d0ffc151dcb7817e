import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { jsonOf, post, refusalIn, send } from '../../endpoints/testing/http-client.js';
import { until, untilPasses } from '../../runtime/kit/until.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { repository } from '../docs/reference-pages.js';
import {
  as,
  askToCancel,
  byToken,
  callTool,
  decide,
  desk,
  grace,
  outcomeOf,
  placeOrder,
  rpc,
  shown,
  statusOf,
  tokenOf,
} from '../testing/asking-agents.js';
import { bearer, type Env, type Scene, withHost } from '../testing/authenticated-host.js';
import { cookieIn, fromPage, session } from '../testing/signed-pages.js';

const test = suite('approvals');

const operator = 'the token of an operator, thirty-two bytes';

const withApprovals = sharedIn<Scene>(test, (body) =>
  withHost({ ...byToken, SVC_OPERATOR_TOKEN: operator, SVC_INSPECT: '1' }, body),
);

const audits = ({ databaseUrl }: Scene, id: string) =>
  rowsOf(
    databaseUrl,
    `SELECT data->>'commandType', data->>'userId', data->'scope'->>'by', data->'scope'->>'agreedBy', count(*)
      FROM svc_system_stream WHERE event_type = 'CommandAudited' AND data->>'commandBody' LIKE '%${id}%'
        AND data->>'commandType' IN ('AskApproval', 'CancelOrder', 'DecideApproval', 'EndApproval')
      GROUP BY 1, 2, 3, 4 ORDER BY 1`,
  );

test('what an agent asks for is carried out once, as its own request, after another person has agreed', () =>
  withApprovals(async (scene) => {
    const { url } = scene;
    const { orderId, ...approval } = await askToCancel(url);
    const { approvalId, status, command, arguments: args, askedBy, agent } = approval;
    assert.equal(
      [status, command, args, askedBy, agent],
      ['asked', 'CancelOrder', { orderId, why: 'asked twice' }, 'desk', 'agent:desk'],
    );
    assert.is(await statusOf(url, orderId), 'created');
    const decided = await decide(url, approval, grace, { note: 'fine' });
    assert.equal([decided.status, jsonOf(decided)], [200, { approvalId, status: 'agreed' }]);
    assert.equal(await outcomeOf(url, approvalId), {
      approvalId,
      command: 'CancelOrder',
      status: 'done',
      note: 'fine',
      expiresAt: (approval as unknown as { expiresAt: string }).expiresAt,
      result: { orderId, status: 'cancelled' },
    });
    await untilPasses(async () => assert.is(await statusOf(url, orderId), 'cancelled'));
    assert.equal(await audits(scene, orderId), [
      ['AskApproval', 'desk', 'agent:desk', 'null', '1'],
      ['CancelOrder', 'desk', 'agent:desk', 'grace', '1'],
    ]);
    assert.equal(await audits(scene, approvalId), [
      ['DecideApproval', 'grace', 'null', 'null', '1'],
      ['EndApproval', 'grace', 'svc-approval', 'null', '1'],
    ]);
  }));

test('an equal call is asked once', () =>
  withApprovals(async ({ url }) => {
    const orderId = await placeOrder(url);
    const first = await callTool(url, 'cancel_order', { orderId }, desk);
    const again = await callTool(url, 'cancel_order', { orderId }, desk);
    assert.equal([first.repeated, again.repeated], [false, true]);
    assert.is(again.approvalId, first.approvalId);
    const other = await callTool(url, 'cancel_order', { orderId, idempotencyKey: 'again' }, desk);
    assert.is.not(other.approvalId, first.approvalId);
  }));

test('what is too long for a person to read is refused', () =>
  withApprovals(async ({ url }) => {
    const asked = await callTool(url, 'cancel_order', { orderId: newUuid(), why: 'x'.repeat(65_536) }, desk);
    assert.equal([asked.status, asked.problem?.code], ['refused', 'invalid-command']);
  }));

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

test('what was not shown, is forged, or was decided before is refused', () =>
  withApprovals(async (scene) => {
    const { url } = scene;
    const approval = await askToCancel(url);
    const other = await askToCancel(url);
    const forged = (more: object) => decide(url, { ...approval, ...more }, grace);
    assert.is(refusalIn(await forged({ fingerprint: other.fingerprint })), '409 approval-changed');
    assert.is(refusalIn(await forged({ fingerprint: '' })), '409 approval-changed');
    assert.is(refusalIn(await forged({ approvalId: approval.orderId })), '404 not-found');
    for (const body of [{ agree: 'yes' }, { approvalId: 7 }, { note: 'x'.repeat(501) }])
      assert.is(refusalIn(await decide(url, approval, grace, body)), '422 invalid-command');
    assert.is((await decide(url, approval, grace)).status, 200);
    for (const agree of [true, false])
      assert.is(refusalIn(await decide(url, approval, grace, { agree })), '409 approval-closed');
    assert.is((await outcomeOf(url, approval.approvalId)).status, 'done');
    assert.is(refusalIn(await decide(url, approval, grace)), '409 approval-closed');
    const [[count] = []] = await rowsOf(
      scene.databaseUrl,
      `SELECT count(*) FROM svc_event_stream WHERE event_type = 'OrderCancelled' AND stream_id = '${approval.orderId}'`,
    );
    assert.is(count, '1');
    assert.is(await statusOf(url, other.orderId), 'created');
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

test('what a person refuses is not carried out, and the agent sees why', () =>
  withApprovals(async ({ url }) => {
    const approval = await askToCancel(url);
    assert.is((await decide(url, approval, grace, { agree: false, note: 'call them' })).status, 200);
    const { status, note } = await outcomeOf(url, approval.approvalId);
    assert.equal([status, note], ['refused', 'call them']);
    assert.is(await statusOf(url, approval.orderId), 'created');
  }));

test('what nobody decides in time expires, and cannot be agreed to any more', () =>
  withApprovals(async ({ url, svc }) => {
    const approval = await askToCancel(url);
    let timer: { readonly id: string } | undefined;
    await untilPasses(async () => {
      const all = JSON.parse(await svc('timers', 'list', '--json')) as { id: string; key: string }[];
      timer = all.find(({ key }) => key === approval.approvalId);
      assert.ok(timer);
    });
    await svc('timers', 'run-now', timer?.id ?? '', '--reason', 'a test');
    assert.is((await outcomeOf(url, approval.approvalId)).status, 'expired');
    assert.is(refusalIn(await decide(url, approval, grace)), '409 approval-closed');
    assert.is(await statusOf(url, approval.orderId), 'created');
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
    const row = jsonOf(await post(url, read, { path: '/graphql', headers: grace }));
    assert.equal(row, { data: { approval: { status: 'done', askedBy: 'desk' } } });
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

test('without authentication a tool with approval is not listed, and a call of it is refused', () =>
  withHost({}, async ({ url }) => {
    const { result } = await rpc(url, 'tools/list', {});
    assert.equal(
      result?.tools?.map(({ name }) => name),
      ['create_order', 'orders_get', 'orders_list'],
    );
    const orderId = await placeOrder(url, {});
    const answer = await callTool(url, 'cancel_order', { orderId });
    assert.equal([answer.status, answer.problem?.code], ['refused', 'approval-needs-identity']);
    const decision = { approvalId: orderId, fingerprint: 'f' };
    assert.is(refusalIn(await decide(url, decision, {})), '403 approval-needs-identity');
  }));

test('the guide shows what an agent and a person are answered', () =>
  withApprovals(async ({ url }) => {
    const approval = await askToCancel(url);
    const asked = await callTool(
      url,
      'cancel_order',
      { orderId: approval.orderId, why: 'asked twice' },
      desk,
    );
    const waiting = await shown(url, approval.approvalId, grace);
    const decided = jsonOf(await decide(url, approval, grace, { note: 'agreed by telephone' }));
    const outcome = await outcomeOf(url, approval.approvalId);
    const guide = readFileSync(join(repository, 'docs/guides/agents.md'), 'utf8');
    for (const answer of [{ ...asked, repeated: false }, waiting, decided, outcome])
      assert.ok(guide.includes(plain(answer)), plain(answer));
  }));

/** As the guide prints it: ids and times differ each time. */
const plain = (answer: unknown): string =>
  JSON.stringify(answer, undefined, 2)
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}/g, '…')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…');
