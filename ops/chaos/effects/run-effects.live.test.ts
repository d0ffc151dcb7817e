import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { withStore } from '../../../runtime/testing/migrated-database.js';
import { runEffects } from './run-effects.js';

const test = suite('the ledger of effects of three hosts that die');

test('killed and frozen under calls, at each failpoint, and with claims that are too short: each outcome is stored once, in order, audited', async () => {
  const report = await withStore((url) =>
    runEffects({
      ...{ seed: 3, effects: 400 },
      faults: { kills: 1, failpointRounds: 1, freezes: 1, terminations: 0, crashes: 0 },
      postgres: { url, crash: () => Promise.resolve(), stop: () => Promise.resolve() },
      printProgress: () => undefined,
    }),
  );
  const { lost, doubled, unaudited, outOfOrder, uncalled, unexplained, left } = report;
  assert.equal(
    { lost, doubled, unaudited, outOfOrder, uncalled, unexplained, left },
    { lost: 0, doubled: 0, unaudited: 0, outOfOrder: 0, uncalled: 0, unexplained: 0, left: 0 },
    JSON.stringify(report),
  );
  assert.equal(report.byKind, {
    kill: 1,
    freeze: 1,
    'effect-claimed': 1,
    'effect-called': 1,
    'effect-after-commit': 1,
  });
  assert.ok(report.ok, JSON.stringify(report));
});
