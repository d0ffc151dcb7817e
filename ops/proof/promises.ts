/** A promise of the README, and what would fail if it were broken. */
interface Promised {
  readonly promise: string;
  /** Where the README gives it. */
  readonly words: string;
  readonly tests: readonly string[];
  /** What `npm run chaos --` is given, if a run with faults checks it, too. */
  readonly runs: readonly string[];
}

export const promises: readonly Promised[] = [
  {
    promise: 'An answered command is stored once, whole, and strictly after what it read.',
    words: 'One commit stores the events, their audits and the idempotency record',
    tests: [
      'runtime/store/killed-at-each-statement.live.test.ts',
      'ops/chaos/history/run-history.live.test.ts',
      'endpoints/idempotency.live.test.ts',
    ],
    runs: ['', '--cluster', '--scenario history', '--minutes 10'],
  },
  {
    promise: 'Every stored event and command has its audit.',
    words: 'An audit that cannot be lost.',
    tests: ['ops/host/audited-through-kills.live.test.ts', 'runtime/audit/verify-events.live.test.ts'],
    runs: ['', '--cluster', '--failover', '--minutes 10'],
  },
  {
    promise: 'A changed record is named; a cut or rewritten log is noticed.',
    words: 'reveals changed records',
    tests: ['runtime/audit/verify-chain.live.test.ts', 'runtime/audit/verify-events.live.test.ts'],
    runs: ['--scenario copied-store'],
  },
  {
    promise: 'A killed host neither loses nor repeats the effect of an event, a timer or a process.',
    words: 'killed hosts lose and repeat nothing',
    tests: [
      'ops/chaos/ledgers/run-ledgers.live.test.ts',
      'ops/host/followers-killed.live.test.ts',
      'ops/simulation/simulate-seed.test.ts',
    ],
    runs: ['--scenario once', '--scenario once-without-leases', '--simulate', '--minutes 10'],
  },
  {
    promise: 'A call to another system is made at least once with one id, and its outcome is stored once.',
    words: 'are made at least once with one id; the outcome is stored once',
    tests: [
      'ops/chaos/effects/killed-hosts.live.test.ts',
      'ops/simulation/simulate-seed.test.ts',
    ],
    runs: [
      '--scenario effects',
      ...['long-call', 'zombie', 'long-lane', 'caps', 'deadly-call'].map((name) => `--scenario effects-${name}`),
      '--simulate',
      '--minutes 10',
    ],
  },
  {
    promise: 'With SVC_DURABILITY=sync, a lost database server takes nothing acknowledged with it.',
    words: 'decides what survives the loss of a database server',
    tests: ['runtime/store/failover-sync.live.test.ts', 'ops/chaos/failover/run-failover.full.live.test.ts'],
    runs: ['--failover', '--minutes 10'],
  },
  {
    promise: 'Every request walks the states of the lifecycle machine.',
    words: 'Every request is an XState actor that you can watch',
    tests: ['endpoints/lifecycle/transition-table.test.ts', 'endpoints/lifecycle/lifecycle-machine.test.ts'],
    runs: [],
  },
  {
    promise: 'Messages leave the log in order, also after the broker was lost.',
    words: 'messages/s in order',
    tests: [
      'actors/outbox/relay-round.test.ts',
      'actors/outbox/outbox-relay-order.live.test.ts',
      'ops/simulation/simulate-seed.test.ts',
    ],
    runs: ['--scenario broker-lost', '--cluster', '--simulate', '--minutes 10'],
  },
  {
    promise: 'A host that hangs is replaced.',
    words: 'a hung host is replaced',
    tests: ['ops/supervise/host-supervisor.live.test.ts', 'ops/supervise/blocked-host.live.test.ts'],
    runs: ['--scenario poison'],
  },
  {
    promise: 'A rolling restart fails no request.',
    words: 'In a rolling restart',
    tests: ['ops/supervise/serving-through-restarts.live.test.ts'],
    runs: [],
  },
];
