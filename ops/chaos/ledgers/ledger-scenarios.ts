import type { FaultCounts, LedgerFault } from './ledger-faults.js';
import type { LedgerSizes } from './ledger-load.js';

interface LedgerScenario {
  readonly sizes: LedgerSizes;
  readonly faults: FaultCounts;
  readonly leases: boolean;
}

const full = {
  sizes: { events: 20_000, timers: 5_000, processes: 1_000, seats: 1_000 },
  faults: { kills: 20, failpointRounds: 1, freezes: 2, terminations: 1, crashes: 1 },
};

/** Each effect once, whatever dies. Without leases, both hosts act as if they held everything. */
export const ledgerScenarios: Readonly<Record<string, LedgerScenario>> = {
  once: { ...full, leases: true },
  'once-without-leases': { ...full, leases: false },
};

/** What is counted in every run; with faults of one kind only, if one is given. */
export const ledgersOf = (kills: number, only?: LedgerFault['kind']): LedgerScenario => {
  const times = (kind: LedgerFault['kind'], count: number) => ((only ?? kind) === kind ? count : 0);
  return {
    sizes: { events: 2_000, timers: 500, processes: 100, seats: 100 },
    faults: {
      kills: times('kill', kills),
      failpointRounds: times('failpoint', 1),
      freezes: times('freeze', 1),
      terminations: times('terminate', 1),
      crashes: times('stop-postgres', 1),
    },
    leases: true,
  };
};
