import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withDatabase } from '../kit/database.js';
import { openDatabase, type Session } from './database.js';
import { inTransaction } from './lock-retry.js';
import { sqlStateOf } from './sql-error.js';

const test = suite('the retries of a lock');

const hourMs = 3_600_000;

/** The clock of the machine is set while the lock is held; `free` releases it. */
const withClockSet = (
  byMs: number,
  body: (session: Session, free: () => Promise<unknown>, setClock: () => void) => Promise<void>,
): Promise<void> =>
  withDatabase(async (url) => {
    const database = openDatabase({ url });
    const [holder, waiter] = [await database.session(), await database.session()];
    const { now } = Date;
    try {
      await holder.rows({ text: 'CREATE TABLE held ()' });
      await holder.rows({ text: 'BEGIN; LOCK TABLE held' });
      await body(
        waiter,
        () => holder.rows({ text: 'ROLLBACK' }),
        () => void (Date.now = () => now() + byMs),
      );
    } finally {
      Date.now = now;
      for (const session of [holder, waiter]) session.release(true);
      await database.close();
    }
  });

test('a clock that is set ahead does not end them', () =>
  withClockSet(hourMs, async (session, free, setClock) => {
    let tries = 0;
    await inTransaction(session, { lockTimeoutMs: 10, retryForMs: 60_000 }, async () => {
      if (++tries === 2) setClock();
      if (tries === 4) await free();
      await session.rows({ text: 'LOCK TABLE held' });
    });
    assert.is(tries, 4);
  }));

test('a clock that is set back does not prolong them', () =>
  withClockSet(-hourMs, async (session, _, setClock) => {
    let tries = 0;
    const error = await inTransaction(session, { lockTimeoutMs: 10, retryForMs: 300 }, async () => {
      if (++tries === 1) setClock();
      assert.ok(tries < 20, 'still retried');
      await session.rows({ text: 'LOCK TABLE held' });
    }).catch((failure: unknown) => failure);
    assert.is(sqlStateOf(error), '55P03');
  }));
