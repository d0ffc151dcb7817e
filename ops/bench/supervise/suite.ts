import { setTimeout as delay } from 'node:timers/promises';
import { startLoad } from '../../testing/order-load.js';
import { impatient, type SpawnedSupervisor, withSupervisor } from '../../testing/spawned-supervisor.js';
import { withDatabases } from '../harness/databases.js';
import type { Section } from '../harness/report.js';
import { type Figures, interleave } from '../harness/rounds.js';
import { scaled, type SuiteRun } from '../harness/suite.js';

/** Two hosts under 64 keep-alive clients: restarted one by one repeatedly, and one of them killed or frozen. */
export const supervise = (run: SuiteRun): Promise<readonly Section[]> =>
  withDatabases(1, async ([url = '']) => {
    const requests = scaled(10_000, run);
    const sections: Section[] = [];
    await withSupervisor(
      { env: { DATABASE_URL: url, SVC_LOG: 'info', ...impatient } },
      async (supervisor) => {
        run.printProgress(`supervise: ${run.rounds} rounds of ${requests} requests`);
        const variants = [
          { name: 'rolling restart', measure: () => restarted(supervisor, requests) },
          { name: 'kill -9', measure: () => lost(supervisor, 'SIGKILL') },
          // Without a heartbeat it counts as blocked.
          { name: 'stopped', measure: () => lost(supervisor, 'SIGSTOP') },
        ];
        sections.push({
          title: 'supervise: two hosts, 64 keep-alive clients',
          figures: ['requests', 'failed', 'restarts', 'ready after ms'],
          baseline: 'rolling restart',
          rounds: await interleave(variants, run.rounds, run.signal),
          targets: [
            { figure: 'failed', of: 'rolling restart', atMost: 0, inEveryRound: true },
            { figure: 'requests', of: 'rolling restart', atLeast: requests },
            { figure: 'ready after ms', of: 'kill -9', atMost: 3_000, inEveryRound: true },
            { figure: 'ready after ms', of: 'stopped', atMost: 3_000, inEveryRound: true },
          ],
          missing: [],
        });
      },
    );
    return sections;
  });

const isCalm = ({ state, hosts }: Awaited<ReturnType<SpawnedSupervisor['status']>>): boolean =>
  state === 'running' && hosts.every(({ state: at }) => at === 'running');

async function restarted(supervisor: SpawnedSupervisor, requests: number): Promise<Figures> {
  const load = startLoad({ url: supervisor.url, clients: 64 });
  const from = Date.now();
  let restarts = 0;
  while (load.acknowledged.size < requests) {
    process.kill(supervisor.pid, 'SIGHUP');
    restarts++;
    await supervisor.until(({ state }) => state === 'reloading');
    await supervisor.until(isCalm);
    await delay(200);
  }
  const tookMs = (Date.now() - from) / restarts;
  await load.stop();
  const failed = load.unanswered.size;
  return { requests: load.acknowledged.size + failed, failed, restarts, 'ready after ms': tookMs };
}

/** One of the two is lost; measures the time until another has replaced it. */
async function lost(supervisor: SpawnedSupervisor, signal: NodeJS.Signals): Promise<Figures> {
  await delay(2_000);
  const load = startLoad({ url: supervisor.url, clients: 64, continues: () => true });
  await load.reached(1_000);
  const host = (await supervisor.status()).hosts[0]?.pid;
  const from = Date.now();
  process.kill(host ?? -1, signal);
  await supervisor.until((status) => isCalm(status) && status.hosts.every(({ pid }) => pid !== host));
  const tookMs = Date.now() - from;
  await load.reached(load.acknowledged.size + 1_000);
  await load.stop();
  const failed = load.unanswered.size;
  return { requests: load.acknowledged.size + failed, failed, restarts: 1, 'ready after ms': tookMs };
}
