import * as assert from 'uvu/assert';
import type { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { withDatabase } from '../kit/database.js';
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

test('a proxy that pools transactions is rejected with its remedy, although it passes startup options', () =>
  withDatabase((url) =>
    withTransactionPooler(url, async (pooled) => {
      assert.match(await checked(pooled), /^invalid-setup: .* pools transactions.*such as HAProxy/);
    }),
  ));
