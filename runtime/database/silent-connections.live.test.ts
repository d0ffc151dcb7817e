import { Pool, type PoolClient } from 'pg';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withDatabase } from '../kit/database.js';
import { durationOf, until } from '../kit/until.js';
import { type NetworkProxy, withProxy } from '../testing/network-proxy.js';
import { copyOut } from './copy-out.js';
import { endSilent } from './silent-connections.js';

const test = suite('silent connections');

const patience = { lookEveryMs: 100, answersWithinMs: 300 };
const endedWithinMs = 10_000;

/** Their statements have no timeout. */
const withConnections = (
  count: number,
  body: (connections: readonly PoolClient[], line: NetworkProxy) => Promise<void>,
): Promise<void> =>
  withDatabase((direct) =>
    withProxy(direct, async (line) => {
      const pool = new Pool({ connectionString: line.url });
      endSilent(pool, patience);
      const connections = await Promise.all(Array.from({ length: count }, () => pool.connect()));
      for (const connection of connections) connection.on('error', () => undefined);
      try {
        await body(connections, line);
      } finally {
        line.resume();
        for (const connection of connections) connection.release(true);
        await pool.end();
      }
    }),
  );

async function failsSoon(work: Promise<unknown> | undefined, what: string): Promise<void> {
  const outcome = work?.then(
    () => 'answered',
    (error: unknown) => String(error),
  );
  const took = await durationOf(Promise.resolve(outcome));
  assert.match((await outcome) ?? '', 'Connection terminated unexpectedly', what);
  assert.ok(took < endedWithinMs, `${what}: ${took} ms`);
}

const one = 'COPY (SELECT 1) TO STDOUT (FORMAT binary)';

test('a statement that does not arrive, one whose answer does not, and a copy fail soon', () =>
  withConnections(3, async ([unsent, unanswered, copied], line) => {
    const answer = unanswered?.query('SELECT pg_sleep(1)');
    await until(() => line.sentBytes() > 0);
    line.silence();
    await Promise.all([
      failsSoon(unsent?.query('SELECT 1'), 'not sent'),
      failsSoon(answer, 'not answered'),
      failsSoon(copied && copyOut(copied, one, () => undefined), 'copied'),
    ]);
  }));

test('so does one on a connection that falls silent while new ones work', () =>
  withConnections(1, async ([silent], line) => {
    line.stall();
    await failsSoon(silent?.query('SELECT 1'), 'stalled');
  }));

test('what the server works on is waited for, also when rows of a copy arrive slowly', () =>
  withConnections(2, async ([long, slow]) => {
    const copy = 'COPY (SELECT pg_sleep(1) FROM generate_series(1, 3)) TO STDOUT (FORMAT binary)';
    let rows = 0;
    const copied = slow && copyOut(slow, copy, () => rows++);
    assert.is((await long?.query('SELECT pg_sleep(4)'))?.rowCount, 1);
    await copied;
    assert.is(rows, 3);
  }));

test('what waits for a lock, and a connection that does nothing, are left alone', () =>
  withConnections(3, async ([holder, waiting, idle]) => {
    await holder?.query('SELECT pg_advisory_lock(1)');
    const locked = waiting?.query('SELECT pg_advisory_lock(1)');
    await idle?.query('BEGIN');
    await holder?.query('SELECT pg_sleep(3)');
    await holder?.query('SELECT pg_advisory_unlock(1)');
    assert.is((await locked)?.rowCount, 1);
    assert.is((await idle?.query('COMMIT'))?.command, 'COMMIT');
  }));

test('a connection that the server does not close is closed here', () =>
  withConnections(1, async ([left], line) => {
    line.silence();
    const ended = left?.end();
    const took = await durationOf(Promise.resolve(ended));
    assert.ok(took < endedWithinMs, `${took} ms`);
  }));
