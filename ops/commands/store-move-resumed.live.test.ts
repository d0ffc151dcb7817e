import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { execute } from '../../runtime/kit/database.js';
import { until } from '../../runtime/kit/until.js';
import { addressOf } from '../../runtime/move/move-ends.js';
import { awaitStandby } from '../../runtime/testing/awaited-standby.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { environmentOf, leftovers, move, toTarget, whileServing } from '../testing/moving-store.js';
import { faultsIn, nothingWrong } from '../testing/order-ledger.js';

const test = suite('svc store move that is resumed');

/** Each is where a mover dies. */
const steps = [
  'move-begun',
  'move-prepared',
  'move-subscribed',
  'move-sealed',
  'move-copied',
  'move-held',
  'move-drained',
  'move-decided',
  'move-opened',
  'move-unsubscribed',
  'move-unpublished',
];
const decided = steps.indexOf('move-decided');

/** After everything was copied: a table is replaced, as by a rebuild of a read model, and a segment is made. */
const meanwhile = `BEGIN;
CREATE TABLE repriced (LIKE prices INCLUDING ALL);
INSERT INTO repriced VALUES ('bread', 330);
DROP TABLE prices;
ALTER TABLE repriced RENAME TO prices;
ALTER INDEX repriced_pkey RENAME TO prices_pkey;
SELECT svc_make_segments_to((SELECT max(high) FROM svc_segments));
COMMIT`;

const inCommit = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'svc-move' AND wait_event = 'SyncRep'`;

/** One that is promoted without the decision would open the old database again. */
async function mustWaitForStandby(source: string, target: string): Promise<void> {
  await until(async () => (await rowsOf(source, inCommit)).length > 0);
  assert.equal(await rowsOf(target, 'SELECT state FROM svc_move'), [['joining']]);
  await awaitStandby(source, '');
}

test('killed after each step and resumed, a move loses, doubles and reorders nothing, and the chain holds; the target opens once standbys know of it', () =>
  whileServing(async ({ source, target, listed, ledger }) => {
    for (const [at, step] of steps.entries()) {
      const moving = move(source, at === 0 ? toTarget(target) : ['resume'], step);
      if (at === decided + 1) await mustWaitForStandby(source, target);
      const { code, stderr } = await moving;
      assert.is(code, null, `${step}: ${stderr}`);
      if (step === 'move-decided') await awaitStandby(source, 'missing');
      if (step === 'move-copied') await execute(source, meanwhile);
      if (at < decided) await ledger.grows(5);
    }
    const ended = await move(listed, ['resume']);
    assert.match(
      [ended.code, ended.stdout, ended.stderr].join(),
      /^0,The store [0-9a-f-]{36} is at 127\.0\.0\.1:\d+\/svc from now on; /,
    );
    await ledger.grows(20);
    await ledger.stop();
    assert.equal(await faultsIn(ledger, target), nothingWrong);
    assert.equal(await leftovers(source, target), ['0', '0']);
    const verified = await svcInProcess(['audit', 'verify', '--json'], { DATABASE_URL: listed });
    assert.is((JSON.parse(verified.stdout) as { readonly ok: boolean }).ok, true);
    const acted = `SELECT data ->> 'action', data ->> 'target' FROM svc_system_stream WHERE event_type = 'OperatorActed'`;
    assert.equal(await rowsOf(target, acted), [['store move', addressOf(target)]]);
    assert.equal(await rowsOf(target, 'SELECT name, shifts FROM busy ORDER BY 1'), [
      ['ann', '2'],
      ['bob', '1'],
    ]);
    assert.equal(await rowsOf(target, 'SELECT product, cents FROM prices'), [['bread', '330']]);
    const next = "INSERT INTO bakers(name) VALUES ('cal') RETURNING id, upper_name";
    assert.equal(await rowsOf(target, next), [['3', 'CAL']]);
    for (const again of [['resume'], toTarget(target)])
      assert.is((await svcInProcess(['store', 'move', ...again], environmentOf(source))).code, 0);
  }));
