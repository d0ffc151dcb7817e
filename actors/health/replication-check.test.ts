import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { ReplicationState } from '../../runtime/database/replication-state.js';
import { replicationCheck } from './replication-check.js';

const test = suite('replication check');

const { signal } = new AbortController();
const reportOf = async (durability: 'sync' | 'async', state: ReplicationState | Error) => {
  const { name, check } = replicationCheck(durability, () =>
    state instanceof Error ? Promise.reject(state) : Promise.resolve(state),
  );
  const { status, detail = '' } = await check(signal);
  return { name, status, detail };
};

test('with sync declared, one copy only is Degraded, and so is a standby that is away', async () => {
  const alone = await reportOf('sync', { hasSynchronousStandby: false, standbys: 1 });
  assert.equal([alone.name, alone.status], ['svc_replication', 'Degraded']);
  assert.match(alone.detail, /^One copy only: synchronous_standby_names is empty\./);
  const away = await reportOf('sync', { hasSynchronousStandby: true, standbys: 0 });
  assert.is(away.status, 'Degraded');
  assert.match(away.detail, /commits wait/);
  assert.is((await reportOf('sync', { hasSynchronousStandby: true, standbys: 1 })).status, 'Healthy');
});

test('with async declared, a server that nobody follows is Degraded', async () => {
  assert.is((await reportOf('async', { hasSynchronousStandby: false, standbys: 0 })).status, 'Degraded');
  assert.is((await reportOf('async', { hasSynchronousStandby: false, standbys: 1 })).status, 'Healthy');
});

test('a state that cannot be read is Degraded, never Healthy', async () => {
  assert.is((await reportOf('sync', new TypeError('no answer'))).status, 'Degraded');
});
