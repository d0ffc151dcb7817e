/** A promise of the README, and what would fail if it were broken. */
interface Promised {
  /** Words of the README. */
  readonly promise: string;
  readonly tests: readonly string[];
  /** What `npm run chaos --` is given, if a run with faults checks it, too. */
  readonly runs: readonly string[];
}

export const promises: readonly Promised[] = [
  {
    promise:
      'One commit stores the events, their audits and the idempotency record, before the caller gets an answer.',
    tests: [
      'ops/host/audited-through-kills.live.test.ts',
      'runtime/store/killed-at-each-statement.live.test.ts',
      'ops/chaos/history/run-history.live.test.ts',
    ],
    runs: ['', '--cluster', '--scenario history'],
  },
  {
    promise: 'An audit that cannot be lost.',
    tests: ['ops/host/audited-through-kills.live.test.ts', 'runtime/audit/verify-events.live.test.ts'],
    runs: ['', '--cluster', '--failover'],
  },
  {
    promise: 'reveals changed records',
    tests: ['runtime/audit/verify-chain.live.test.ts', 'runtime/audit/verify-events.live.test.ts'],
    runs: ['--scenario copied-store'],
  },
  {
    promise: 'Event, commands, timers and state are [one commit]',
    tests: ['ops/chaos/ledgers/run-ledgers.live.test.ts', 'actors/due/killed-hosts.live.test.ts'],
    runs: ['--scenario once', '--scenario once-without-leases'],
  },
  {
    promise: 'decides what survives a lost database server',
    tests: ['runtime/store/failover-sync.live.test.ts', 'ops/chaos/failover/run-failover.full.live.test.ts'],
    runs: ['--failover'],
  },
  {
    promise: 'Every request is an XState actor that you can watch',
    tests: ['endpoints/lifecycle/transition-table.test.ts', 'endpoints/lifecycle/lifecycle-machine.test.ts'],
    runs: [],
  },
  {
    promise: 'in order',
    tests: ['actors/outbox/relay-round.test.ts', 'runtime/reactions/line-model.test.ts'],
    runs: ['--scenario broker-lost', '--cluster'],
  },
  {
    promise: 'a hung host is replaced',
    tests: ['ops/supervise/host-supervisor.live.test.ts', 'ops/supervise/blocked-host.live.test.ts'],
    runs: ['--scenario poison'],
  },
  {
    promise: 'A rolling restart failed',
    tests: ['ops/supervise/serving-through-restarts.live.test.ts'],
    runs: [],
  },
];
