import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../../contracts/problems.js';
import { freePort } from '../../../runtime/database/embedded/operating-system.js';
import { withNatsCluster } from '../../../runtime/testing/nats-cluster.js';
import { KillableHost } from '../harness/killable-host.js';
import { isReady } from '../scenarios/scenario-host.js';
import { type FailoverFault, failoverFaults, failoverPlan } from './failover-plan.js';
import { failOver, failOverWithLoss, type Round } from './failover-round.js';
import type { FailoverMode, Scene } from './failover-scene.js';
import { isReported } from './lossy-failover.js';
import { withNothingLeft } from './left-behind.js';
import { startTrio } from './postgres-trio.js';
import { type TrioFindings, violationsIn } from './trio-check.js';

interface FailoverOptions {
  readonly seed: number;
  readonly mode: FailoverMode;
  /** How often each fault happens. */
  readonly rounds?: number | undefined;
  /** The only fault. */
  readonly only?: FailoverFault | undefined;
  readonly printProgress: (line: string) => void;
}

interface FailoverReport extends TrioFindings {
  readonly seed: number;
  readonly commands: number;
  readonly acknowledged: number;
  readonly faults: number;
  readonly mode: FailoverMode;
  readonly rounds: readonly Round[];
  /** More than one: the host ended by itself. */
  readonly hostStarts: number;
  readonly seconds: number;
  readonly ok: boolean;
}

/** Three PostgreSQL servers under Patroni, three NATS servers, one host, and clients that retry while servers are lost. */
export const runFailover = (options: FailoverOptions): Promise<FailoverReport> =>
  withNothingLeft(async (folder) => {
    const started = performance.now();
    const { mode, printProgress } = options;
    const trio = await startTrio(folder, mode);
    printProgress('three servers follow one primary');
    let report: FailoverReport | undefined;
    await withNatsCluster(async (nats) => {
      const port = String(await freePort());
      const env = { DATABASE_URL: trio.url, NATS_URL: nats.url, SVC_DURABILITY: mode, SVC_LOG: 'error' };
      const host = new KillableHost({ ...env, SVC_PORT: port, SVC_NAME: 'chaos' });
      host.start();
      const scene: Scene = { trio, nats, url: `http://127.0.0.1:${port}`, sent: [] };
      try {
        while (!(await isReady(scene.url).catch(() => false))) await delay(200);
        printProgress('the host is ready');
        const rounds = await runRounds(options, scene);
        const seconds = Math.round((performance.now() - started) / 1000);
        report = summaryOf(options, scene.sent.length, rounds, { hostStarts: host.starts, seconds });
      } finally {
        host.stayStopped();
        await host.kill();
      }
    });
    return report as unknown as FailoverReport;
  });

async function runRounds(options: FailoverOptions, scene: Scene): Promise<readonly Round[]> {
  const { seed, mode, only, printProgress } = options;
  const faults = only === undefined ? failoverFaults : [only];
  const seedOf = (round: number): number => seed * 100 + round;
  const plan =
    mode === 'sync'
      ? failoverPlan(seed, options.rounds ?? 3, faults).map(
          (fault, n) => () => failOver(fault, seedOf(n), scene),
        )
      : Array.from({ length: options.rounds ?? 1 }, (_, n) => () => failOverWithLoss(seedOf(n), scene));
  const rounds: Round[] = [];
  for (const run of plan) {
    rounds.push(await run());
    printProgress(`${rounds.length} of ${plan.length}: ${JSON.stringify(rounds.at(-1))}`);
  }
  return rounds;
}

function summaryOf(
  { seed, mode }: FailoverOptions,
  commands: number,
  rounds: readonly Round[],
  rest: Pick<FailoverReport, 'hostStarts' | 'seconds'>,
): FailoverReport {
  const isClean = (round: Round): boolean =>
    violationsIn(round, mode) === 0 && (round.loss === undefined || isReported(round.loss));
  // Every check covers all rounds before it.
  const last = rounds.at(-1);
  if (last === undefined) throw new Problem('usage', { detail: 'There is no fault without a round.' });
  const { lost, doubled, unaudited, missing, phantom } = last;
  const { unpublished, publishedTwice, ghosts, behind, chainHolds } = last;
  return {
    seed,
    commands,
    faults: rounds.length,
    lost,
    doubled,
    unaudited,
    missing,
    phantom,
    unpublished,
    publishedTwice,
    ghosts,
    behind,
    chainHolds,
    stallMs: Math.max(...rounds.map(({ stallMs }) => stallMs)),
    acknowledged: rounds.reduce((sum, round) => sum + round.acknowledged, 0),
    mode,
    rounds,
    ...rest,
    ok: rounds.every(isClean),
  };
}
