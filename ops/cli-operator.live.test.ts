import { userInfo } from 'node:os';
import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { withMigratedDatabase } from '../runtime/testing/migrated-database.js';
import { currentOperator, recordCliAction } from './cli-operator.js';

const test = suite('operator');

test('the operator is SVC_ACTOR, else the user of the operating system', () => {
  assert.is(currentOperator({ SVC_ACTOR: 'ann@example.com' }), 'ann@example.com');
  for (const env of [{}, { SVC_ACTOR: ' ' }]) assert.is(currentOperator(env), userInfo().username);
});

test('an operator action is recorded in the system stream, and published only when hosts broadcast', () =>
  withMigratedDatabase(async (migrated) => {
    const database = migrated.connect();
    const rebuilt = { action: 'perspectives rebuild', target: 'orders', reason: 'a bug in the fold' };
    await recordCliAction(database, { name: 'desk', broadcast: false }, rebuilt);
    await recordCliAction(database, { name: 'desk', broadcast: true }, rebuilt);
    const rows = await database.rows({
      text: `SELECT s.data->>'action', s.data->>'target', s.data->>'actor', s.data->>'reason', s.host, publish
        FROM svc_system_stream s JOIN svc_system_events USING (stream_position)
        WHERE s.event_type = 'OperatorActed' ORDER BY stream_position`,
    });
    const stored = ['perspectives rebuild', 'orders', currentOperator(), 'a bug in the fold', 'desk'];
    assert.equal(rows, [
      [...stored, 'f'],
      [...stored, 't'],
    ]);
  }));
