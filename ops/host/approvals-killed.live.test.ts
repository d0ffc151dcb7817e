import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { askToCancel, byToken, decide, grace, outcomeOf, statusOf } from '../testing/asking-agents.js';
import { withOrders } from '../testing/spawned-host.js';

const test = suite('approvals on a host that dies');

test('what was carried out before its host died is carried out once, and the agent learns of it', () =>
  withStore(async (databaseUrl) => {
    const env = { ...byToken, DATABASE_URL: databaseUrl };
    const asked: Awaited<ReturnType<typeof askToCancel>>[] = [];
    await withOrders({ ...env, SVC_FAILPOINTS: 'approval-carried-out@2' }, async ({ url, ended }) => {
      for (let n = 0; n < 3; n++) asked.push(await askToCancel(url));
      for (const approval of asked) await decide(url, approval, grace).catch(() => undefined);
      assert.equal(await ended, { code: null, signal: 'SIGKILL' });
    });
    await withOrders(env, async ({ url }) => {
      for (const approval of asked) {
        // The decision itself may not have been stored, or not answered.
        await decide(url, approval, grace);
        assert.is((await outcomeOf(url, approval.approvalId)).status, 'done');
        assert.is(await statusOf(url, approval.orderId), 'cancelled');
      }
    });
    const counted = await rowsOf(
      databaseUrl,
      `SELECT (SELECT count(*) FROM svc_event_stream WHERE event_type = 'OrderCancelled'),
        (SELECT count(*) FROM svc_event_stream WHERE event_type = 'ApprovalEnded'),
        (SELECT count(*) FROM svc_system_stream WHERE event_type = 'CommandAudited'
          AND data ->> 'commandType' = 'CancelOrder' AND data -> 'scope' ->> 'by' = 'agent:desk')`,
    );
    assert.equal(counted, [['3', '3', '3']]);
  }));
