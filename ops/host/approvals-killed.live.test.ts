import { connect } from 'nats';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { untilPasses } from '../../runtime/kit/until.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { askToCancel, byToken, decide, grace, outcomeOf, statusOf } from '../testing/asking-agents.js';
import { withOrders } from '../testing/spawned-host.js';

const test = suite('approvals on a host that dies');

/** The subjects of the events that the broker has, with how many there are. */
async function publishedTo(broker: string): Promise<Readonly<Record<string, number>>> {
  const { username: user, password: pass, host: servers } = new URL(broker);
  const connection = await connect({ servers, ...(user === '' ? {} : { user, pass }) });
  try {
    const { streams } = await connection.jetstreamManager();
    const { state } = await streams.info('SVC_EVENTS', { subjects_filter: '>' });
    return state.subjects ?? {};
  } finally {
    await connection.close();
  }
}

test('what was carried out before its host died is carried out once, even if every stored answer has expired since, and other services learn of the command alone', () =>
  withEmptyNats((NATS_URL) =>
    withStore(async (databaseUrl) => {
      const env = { ...byToken, NATS_URL, DATABASE_URL: databaseUrl };
      const dying = { ...env, SVC_NAME: 'north', SVC_FAILPOINTS: 'approval-carried-out@2' };
      const asked: Awaited<ReturnType<typeof askToCancel>>[] = [];
      await withOrders(dying, async ({ url, ended }) => {
        for (let n = 0; n < 3; n++) asked.push(await askToCancel(url));
        for (const approval of asked) await decide(url, approval, grace).catch(() => undefined);
        assert.equal(await ended, { code: null, signal: 'SIGKILL' });
      });
      await rowsOf(databaseUrl, `UPDATE svc_idempotency SET expires_at = expires_at - interval '25 hours'`);
      await withOrders({ ...env, SVC_NAME: 'south' }, async ({ url }) => {
        for (const approval of asked) {
          // The decision itself may not have been stored, or not answered.
          await decide(url, approval, grace);
          assert.is((await outcomeOf(url, approval.approvalId)).status, 'done');
          await untilPasses(async () => assert.is(await statusOf(url, approval.orderId), 'cancelled'));
        }
        await untilPasses(async () => {
          const published = await publishedTo(NATS_URL);
          assert.is(published['svc.events.OrderCancelled'], 3);
          assert.equal(
            Object.keys(published).filter((subject) => subject.includes('Approval')),
            [],
          );
        });
      });
      const counted = await rowsOf(
        databaseUrl,
        `SELECT (SELECT count(*) FROM svc_event_stream WHERE event_type = 'OrderCancelled'),
          (SELECT count(*) FROM svc_event_stream WHERE event_type = 'ApprovalEnded'),
          (SELECT count(*) FROM svc_system_stream WHERE event_type = 'CommandAudited'
            AND data ->> 'commandType' = 'CancelOrder' AND data -> 'scope' ->> 'by' = 'agent:desk')`,
      );
      assert.equal(counted, [['3', '3', '3']]);
    }),
  ));
