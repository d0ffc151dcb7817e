import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { withStore } from '../../../runtime/testing/migrated-database.js';
import { runHistory } from './run-history.js';

const test = suite('the history of clients of two hosts that die');

test('it is strictly serializable, and everything is audited', async () => {
  const report = await withStore((url) =>
    runHistory({
      seed: 11,
      faults: 2,
      transactions: 400,
      only: 'kill',
      postgres: { url, crash: () => Promise.resolve(), stop: () => Promise.resolve() },
      printProgress: () => undefined,
    }),
  );
  assert.ok(report.ok, JSON.stringify(report));
  assert.equal(report.anomalies, {});
  assert.is(report.faults, 2);
  assert.ok(report.acknowledged > 400, JSON.stringify(report));
});
