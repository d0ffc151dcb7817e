import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { withDatabase } from '../kit/database.js';
import { withTimeout } from '../lang/with-timeout.js';
import { withTransactionPooler } from '../testing/transaction-pooler.js';
import { openDatabase } from './database.js';
import { mustKeepSessions } from './must-keep-sessions.js';

const test = suite('sessions of their own');

const checked = async (url: string): Promise<string> => {
  const database = openDatabase({ url });
  try {
    return await mustKeepSessions(database).then(
      () => 'fine',
      (problem: Problem) => `${problem.code}: ${problem.detail}`,
    );
  } finally {
    await database.close();
  }
};

test('a server that gives every session its own connection is accepted', () =>
  withDatabase(async (url) => {
    assert.is(await checked(url), 'fine');
  }));

test('the first session is given back when there is no second one', () =>
  withDatabase(async (url) => {
    const database = openDatabase({ url });
    const sessions = [() => database.session(), () => Promise.reject(new Problem('store-unavailable'))];
    const session = () => sessions.shift()?.() ?? Promise.reject(new Problem('unexpected'));
    const failed = await mustKeepSessions({ session }).catch((problem: Problem) => problem.code);
    assert.is(failed, 'store-unavailable');
    await withTimeout(5_000, database.close());
  }));

test('a proxy that pools transactions is rejected with its remedy, although it passes startup options', () =>
  withDatabase((url) =>
    withTransactionPooler(url, async (pooled) => {
      assert.match(await checked(pooled), /^invalid-setup: .* pools transactions.*such as HAProxy/);
    }),
  ));
