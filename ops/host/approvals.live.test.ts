import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { jsonOf, refusalIn } from '../../endpoints/testing/http-client.js';
import { untilPasses } from '../../runtime/kit/until.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { repository } from '../docs/reference-pages.js';
import {
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
} from '../testing/asking-agents.js';
import { type Scene, withHost } from '../testing/authenticated-host.js';

const test = suite('approvals');

const withApprovals = sharedIn<Scene>(test, (body) => withHost(byToken, body));

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
