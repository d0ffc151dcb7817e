import * as assert from 'uvu/assert';
import type { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { openDatabase } from '../database/database.js';
import { inTransaction, lockRetryDefaults } from '../database/lock-retry.js';
import { runtimeRole } from '../schema/runtime-role.js';
import { happened, isVisible, onPair, waitingWithoutStandby } from '../testing/hosts-on-pair.js';
import { until } from '../kit/until.js';
import { appendRecords } from './append-records.js';

const test = suite('failover with sync declared');

test('with sync declared, a commit that is released because no standby is asked for anymore is not acknowledged, and no further one is stored', () =>
  onPair(async ({ pair, host }) => {
    const { append, acknowledged, refused } = host({ durability: 'sync' });
    await waitingWithoutStandby(pair, append);
    await pair.admin('ALTER SYSTEM RESET synchronous_standby_names');
    await pair.admin('SELECT pg_reload_conf()');
    await until(() => acknowledged.length + refused.length > 1);
    assert.equal(refused, ['outcome-unknown']);
    const late = happened();
    append(late);
    await until(() => acknowledged.length + refused.length > 2);
    assert.equal(refused, ['outcome-unknown', 'store-unavailable']);
    assert.not(await isVisible(pair, late));
  }));

test('with sync declared, the commit procedure itself refuses where no standby is asked for or its session does not wait, and stores nothing', () =>
  onPair(async ({ pair }) => {
    const database = openDatabase({ url: pair.url, role: runtimeRole, durability: 'sync' });
    const appended = async (setting: string): Promise<string> => {
      const session = await database.session();
      try {
        await session.rows({ text: setting });
        await appendRecords(session, 'test', [{ envelope: happened(), publish: false }]);
        return 'stored';
      } catch (error) {
        return (error as Problem).code;
      } finally {
        session.release(true);
      }
    };
    const stored = async () => (await pair.admin('SELECT 1 FROM svc_system_events')).length;
    assert.is(await appended('SET synchronous_commit = on'), 'stored');
    const before = await stored();
    assert.is(await appended('SET synchronous_commit = local'), 'store-unavailable');
    assert.is(await appended('SET synchronous_commit = remote_write'), 'store-unavailable');
    assert.is(await appended('SET synchronous_commit = remote_apply'), 'stored');
    await pair.admin('ALTER SYSTEM RESET synchronous_standby_names');
    await pair.admin('SELECT pg_reload_conf()');
    await until(async () => (await appended('SELECT 1')) === 'store-unavailable');
    assert.is(await stored(), before + 1);
    await database.close();
  }));

test('a change of an operator whose commit was cut short while it waited for the standby is not reported as done', () =>
  onPair(async ({ pair }) => {
    const database = openDatabase({ url: pair.url, role: runtimeRole });
    const session = await database.session();
    await pair.stopStandby();
    const change = inTransaction(session, lockRetryDefaults, () =>
      appendRecords(session, 'test', [{ envelope: happened(), publish: false }]),
    ).then(
      () => 'done',
      (problem: Problem) => problem.code,
    );
    await until(async () => (await pair.waiting()).length > 0);
    await pair.admin("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
    assert.is(await change, 'outcome-unknown');
    session.release(true);
    await database.close();
  }));
