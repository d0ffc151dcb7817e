import { setTimeout as delay } from 'node:timers/promises';
import { type Asked, keyed, post } from '../../../endpoints/testing/http-client.js';
import { impatient, misbehavingApp, withSupervisor } from '../../testing/spawned-supervisor.js';
import { startCrashablePostgres } from '../harness/crashable-postgres.js';
import type { Scenario } from './scenario.js';

const attackMs = 30_000;
const settledMs = 15_000;

/** A request that blocks its host is repeated without end: other commands are still served. */
export const blockingCommand: Scenario = async ({ printProgress }, checkOutcome) => {
  const postgres = await startCrashablePostgres();
  try {
    await withSupervisor(
      { env: { DATABASE_URL: postgres.url, ...impatient }, source: misbehavingApp() },
      async ({ url }) => {
        const act = async (mood: string, asked: Asked = {}): Promise<number> =>
          (await post(url, { mood }, { path: '/act', ...asked }).catch(() => undefined))?.status ?? 0;
        printProgress('a client repeats a request that blocks its host');
        const until = performance.now() + attackMs;
        const isOver = () => performance.now() > until;
        const attack = async () => {
          while (!isOver()) {
            // The client sends a key with the repeated request, so that only this request is quarantined.
            await act('stuck', keyed('poison'));
            await delay(50);
          }
        };
        const answers: { readonly at: number; readonly status: number }[] = [];
        const serve = async () => {
          while (!isOver()) {
            answers.push({ status: await act('calm'), at: performance.now() });
            await delay(50);
          }
        };
        await Promise.all([attack(), serve()]);
        const late = answers.filter(({ at }) => at > until - settledMs);
        const served = late.filter(({ status }) => status === 200).length;
        const promise = `99 % of other commands are served in the last ${settledMs / 1000} s`;
        await checkOutcome({
          promises: [{ promise, kept: late.length > 0 && served / late.length >= 0.99 }],
          stores: [],
        });
      },
    );
  } finally {
    await postgres.stop();
  }
};
