import { DatabaseError } from 'pg';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { DatabaseLiveness } from '../../runtime/database/liveness.js';
import { storeUnavailable } from '../../runtime/database/sql-error.js';
import { failureOf, runCheck } from '../testing/run-check.js';
import { relationalDbCheck } from './database-check.js';

const test = suite('database checks');

test('a database that has just answered other code is not queried again; a lost one is', async () => {
  let queries = 0;
  const liveness = new DatabaseLiveness(() => 1_000);
  const check = relationalDbCheck(liveness, () =>
    liveness.observe(async () => {
      queries++;
    }),
  );
  for (let n = 0; n < 3; n++) assert.is((await runCheck(check)).status, 'Healthy');
  assert.is(queries, 1);
  liveness.lost();
  await runCheck(check);
  assert.is(queries, 2);
});

test('a database that answers reads but refused a write is queried until it accepts writes again', async () => {
  const readOnly = new DatabaseError('cannot execute UPDATE in a read-only transaction', 7, 'error');
  readOnly.code = '25006';
  const liveness = new DatabaseLiveness();
  let isReadOnly = true;
  const check = relationalDbCheck(liveness, () =>
    liveness.observe(() =>
      isReadOnly ? Promise.reject(new Problem('store-unavailable')) : Promise.resolve(),
    ),
  );
  await liveness.observe(() => Promise.resolve('read'));
  assert.is(await failureOf(check), 'Healthy');
  await liveness.observe(() => Promise.reject(storeUnavailable(readOnly))).catch(() => undefined);
  await liveness.observe(() => Promise.resolve('read'));
  assert.is.not(await failureOf(check), 'Healthy');
  isReadOnly = false;
  assert.is(await failureOf(check), 'Healthy');
  assert.not(liveness.writeRefused);
});
