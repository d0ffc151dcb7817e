import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { connect } from '../../runtime/database/connect.js';
import { execute } from '../../runtime/kit/database.js';
import { until } from '../../runtime/kit/until.js';
import { addressOf } from '../../runtime/move/move-ends.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { environmentOf, leftovers, move, toTarget, whileServing } from '../testing/moving-store.js';
import { faultsIn, nothingWrong } from '../testing/order-ledger.js';
import { startCli, svc } from '../testing/spawned-host.js';

const test = suite('svc store move that is aborted');

test('killed and aborted, a store stays where it is, leaves no slot and no row, and can be moved then; writers wait for at most 5 s, also when the mover freezes', () =>
  whileServing(async ({ source, target, listed, ledger }) => {
    // On a busy machine every client waits now and then.
    const beforeMs = ledger.longestMs;
    for (const step of ['move-subscribed', 'move-drained']) {
      const killed = await move(source, toTarget(target), step);
      assert.is(killed.code, null, `${step}: ${killed.stderr}`);
      const aborted = await move(source, ['abort', '--reason', 'not today', '--json']);
      assert.is(aborted.code, 0, aborted.stderr);
      assert.is((JSON.parse(aborted.stdout) as { readonly target: string }).target, addressOf(target));
      assert.equal(await leftovers(source, target), ['0', '0']);
      assert.equal(await rowsOf(target, 'SELECT count(*) FROM svc_store, svc_events'), [['0']]);
      await ledger.grows(5);
    }
    assert.match((await move(source, ['abort'])).stderr, /^svc: No move has begun; [^\n]*\n$/);
    const writer = await connect(source);
    // Until it ends, the mover waits for it before it makes others wait: time enough to freeze it.
    await writer.query('BEGIN; LOCK TABLE shifts IN ROW EXCLUSIVE MODE');
    const mover = startCli(['store', 'move', ...toTarget(target), '--json'], environmentOf(source));
    await until(async () => (await writer.query(waiting)).rowCount === 1);
    process.kill(mover.pid, 'SIGSTOP');
    await writer.query('COMMIT');
    await until(async () => (await writer.query(holding)).rowCount === 1);
    await ledger.grows(20);
    process.kill(mover.pid, 'SIGCONT');
    await writer.end();
    assert.is((await mover.ended).code, 0, mover.output.stderr.join(''));
    await ledger.grows(20);
    await ledger.stop();
    assert.ok(
      ledger.longestMs < 5_000 + beforeMs,
      `a writer waited ${ledger.longestMs} ms, and ${beforeMs} ms before the move`,
    );
    assert.equal(await faultsIn(ledger, target), nothingWrong);
    assert.equal(await rowsOf(target, 'SELECT max(epoch) FROM svc_epochs'), [['2']]);
    const late = await move(listed, ['abort']);
    assert.match(late.stderr, /^svc: The store has moved to [^\n]*: that cannot be undone\. [^\n]*\n$/);
    const host = await svc(['start', 'examples/orders'], { DATABASE_URL: source });
    assert.is(host.code, 1);
    assert.match(host.stdout + host.stderr, `The store has moved to ${addressOf(target)}; set DATABASE_URL`);
    const written = execute(source, "INSERT INTO bakers(name) VALUES ('cal')").catch(
      (error: unknown) => error,
    );
    assert.match(String(await written), `the store has moved to ${addressOf(target)}`);
  }));

const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'shifts'::regclass`;
/** A mover that makes writers wait, or was too slow. */
const holding = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'svc-move' AND state LIKE 'idle in transaction%'`;
