import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withDatabase } from '../kit/database.js';
import { openDatabase, type Session } from './database.js';
import { inTransaction } from './lock-retry.js';
import { sqlStateOf } from './sql-error.js';

const test = suite('the retries of a lock');

const hourMs = 3_600_000;

interface HeldLock {
  readonly waiter: Session;
  /** Sets the clock of the machine. */
  setClock(byMs: number): void;
  free(): Promise<unknown>;
}

const withHeldLock = (body: (held: HeldLock) => Promise<void>): Promise<void> =>
  withDatabase(async (url) => {
    const database = openDatabase({ url });
    const [holder, waiter] = [await database.session(), await database.session()];
    const { now } = Date;
    try {
      await holder.rows({ text: 'CREATE TABLE held ()' });
      await holder.rows({ text: 'BEGIN; LOCK TABLE held' });
      const setClock = (byMs: number): void => void (Date.now = () => now() + byMs);
      await body({ waiter, setClock, free: () => holder.rows({ text: 'ROLLBACK' }) });
    } finally {
      Date.now = now;
      for (const session of [holder, waiter]) session.release(true);
      await database.close();
    }
  });

test('a clock that is set ahead does not end them', () =>
  withHeldLock(async ({ waiter, setClock, free }) => {
    let tries = 0;
    await inTransaction(waiter, { lockTimeoutMs: 10, retryForMs: 60_000 }, async () => {
      if (++tries === 2) setClock(hourMs);
      if (tries === 4) await free();
      await waiter.rows({ text: 'LOCK TABLE held' });
    });
    assert.is(tries, 4);
  }));

test('a clock that is set back does not prolong them', () =>
  withHeldLock(async ({ waiter, setClock }) => {
    let tries = 0;
    const ended = inTransaction(waiter, { lockTimeoutMs: 10, retryForMs: 300 }, async () => {
      if (++tries === 1) setClock(-hourMs);
      assert.ok(tries < 20, 'it is still retried');
      await waiter.rows({ text: 'LOCK TABLE held' });
    });
    const state = await ended.then(
      () => 'locked',
      (error: unknown) => sqlStateOf(error),
    );
    assert.is(state, '55P03');
  }));
