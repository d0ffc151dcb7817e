import * as assert from 'uvu/assert';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Database, Session } from '../database/database.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { AuditPolicy } from '../audit/audit-policy.js';
import { recordedAction } from './operator-action.js';
import { systemRecord } from '../audit/system-record.js';

const test = suite('operator action');

const policy = new AuditPolicy(new SystemEventOptions());
const recordOf = (message: SystemMessage) => systemRecord(message, {}, policy);
const ann = (reason?: string) => ({ operator: { host: 'desk', changedBy: 'ann', recordOf }, reason });

const declare = (name: string) => async (session: Session) => {
  await session.rows({ text: 'SELECT svc_declare_flags($1)', values: [[name]] });
  return { result: name, targets: [name] };
};

const flags = async (database: Database) =>
  (await database.rows({ text: 'SELECT name FROM svc_flag_names ORDER BY 1' })).flat();

const recorded = async (database: Database) =>
  (
    await database.rows({
      text: `SELECT concat_ws('|', data ->> 'action', data ->> 'target', data ->> 'actor', data ->> 'reason')
        FROM svc_system_events WHERE event_type = 'OperatorActed' ORDER BY stream_position`,
    })
  ).flat();

test('an action is recorded with who and why, in its own commit; a blank reason is none', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    assert.is(await recordedAction(database, ann('a sale'), 'flags declare', declare('rye')), 'rye');
    await recordedAction(database, ann('  '), 'flags declare', declare('oat'));
    assert.equal(await recorded(database), ['flags declare|rye|ann|a sale', 'flags declare|oat|ann']);
    const commits = `SELECT count(DISTINCT xmin::text) FROM (SELECT xmin FROM svc_flag_names WHERE name = 'rye'
      UNION ALL SELECT xmin FROM svc_system_events WHERE data ->> 'target' = 'rye') both_rows`;
    assert.equal(await database.rows({ text: commits }), [['1']]);
  }));

test('an action that fails, or whose record cannot be stored, changes nothing', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    const failing = async (session: Session) => {
      await declare('rye')(session);
      throw new RangeError('no oven');
    };
    const badlyNamed = { operator: { ...ann().operator, host: 'a\0b' } };
    for (const act of [
      () => recordedAction(database, ann(), 'flags declare', failing),
      () => recordedAction(database, badlyNamed, 'flags declare', declare('rye')),
    ]) {
      const refusal: unknown = await act().catch((error: unknown) => error);
      assert.instance(refusal, Error);
    }
    assert.equal([await flags(database), await recorded(database)], [[], []]);
  }));

test('what changes nothing is not recorded', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    const nothing = () => Promise.resolve({ result: 7, targets: [] });
    assert.is(await recordedAction(database, ann(), 'flags declare', nothing), 7);
    assert.equal(await recorded(database), []);
  }));

test('where system events are off, an action is done and not recorded', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    const operator = { host: 'desk', changedBy: 'ann' };
    await recordedAction(database, { operator }, 'flags declare', declare('rye'));
    assert.equal([await flags(database), await recorded(database)], [['rye'], []]);
  }));

test('the server ends an action that stalls: it would hold up every writer of the log', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    const limit = await recordedAction(database, ann(), 'flags declare', async (session) => {
      const [row] = await session.rows({ text: 'SHOW idle_in_transaction_session_timeout' });
      return { result: row?.[0], targets: [] };
    });
    assert.is(limit, '10s');
    const after = await database.rows({ text: 'SHOW idle_in_transaction_session_timeout' });
    assert.equal(after, [['0']], 'of the transaction alone');
  }));
