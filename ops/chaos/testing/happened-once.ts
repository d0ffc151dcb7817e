import * as assert from 'uvu/assert';
import { withStore } from '../../../runtime/testing/migrated-database.js';
import { runLedgers } from '../ledgers/run-ledgers.js';
import type { LedgerSizes } from '../ledgers/ledger-load.js';

const none = {
  lost: 0,
  doubled: 0,
  unaudited: 0,
  outOfOrder: 0,
  phantom: 0,
  left: 0,
  mismatched: 0,
  twoOwners: 0,
};

interface Deaths {
  readonly leases: boolean;
  readonly kills: number;
  readonly sizes: LedgerSizes;
}

/** Expects that hosts which are killed under load neither lose nor double an effect. */
export async function mustHappenOnce({ leases, kills, sizes }: Deaths): Promise<void> {
  const report = await withStore((url) =>
    runLedgers({
      seed: 3,
      sizes,
      faults: { kills, failpointRounds: 0, freezes: 0, terminations: 0, crashes: 0 },
      leases,
      postgres: { url, crash: () => Promise.resolve(), stop: () => Promise.resolve() },
      printProgress: () => undefined,
    }),
  );
  const { lost, doubled, unaudited, outOfOrder, phantom, left, mismatched, twoOwners } = report;
  const found = { lost, doubled, unaudited, outOfOrder, phantom, left, mismatched, twoOwners };
  assert.equal(found, none, JSON.stringify(report));
  assert.ok(report.ok, JSON.stringify(report));
  assert.is(report.faults, kills);
  assert.ok((report.stored['Noted'] ?? 0) >= sizes.events);
}
