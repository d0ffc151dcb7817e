import { fileURLToPath } from 'node:url';
import { newUuid } from '../../../contracts/uuid.js';
import { type Child, startChild } from '../harness/child.js';
import { withDatabases } from '../harness/databases.js';
import type { Section } from '../harness/report.js';
import { type Figures, interleave } from '../harness/rounds.js';
import { scaled, type SuiteRun } from '../harness/suite.js';
import { requests, requestsWhile } from '../reactions/requests.js';
import { eventsPerUnit, openShopStore, percentiles, type ShopStore } from '../reactions/store.js';
import { retryKilledAtHalf } from './command.js';
import { parkOrders, untilHandledOnce, untilItReacts } from './entries.js';

type ShopHost = Child<{ readonly url: string }>;

const hostScript = fileURLToPath(new URL('../reactions/host.js', import.meta.url));
const [quiet, commanded, handled] = ['nothing to do', 'while svc stuck runs', 'until all are handled'];
/** Until the code of a host is compiled. */
const warmUpSeconds = 5;

/** What callers notice while an operator retries very many entries. */
export const stuck = (run: SuiteRun): Promise<readonly Section[]> =>
  withDatabases(1, async ([url = '']) => {
    const store = await openShopStore(url);
    const started = (): Promise<ShopHost> => startChild(hostScript, [url]);
    let host = await started();
    try {
      await untilItReacts(store);
      const restart = async (whileDown: () => Promise<void>): Promise<void> => {
        await host.stop();
        await whileDown();
        host = await started();
        await untilItReacts(store);
        await requests(host.output.url, warmUpSeconds);
      };
      return [await retried({ url, store, restart, host: () => host.output.url }, run)];
    } finally {
      await host.stop();
      await store.close();
    }
  });

interface Bench {
  readonly url: string;
  readonly store: ShopStore;
  readonly host: () => string;
  readonly restart: (whileDown: () => Promise<void>) => Promise<void>;
}

async function retried(bench: Bench, run: SuiteRun): Promise<Section> {
  const { url, store, host, restart } = bench;
  const entries = eventsPerUnit * scaled(2_000, run);
  const seconds = run.seconds ?? 10;
  run.printProgress(`stuck: requests while ${entries} entries are retried`);
  let round = '';
  const quietly = async (): Promise<Figures> => {
    round = newUuid();
    await restart(() => parkOrders(url, store, round, entries));
    return percentiles(await requests(host(), seconds));
  };
  const beside = async (work: Promise<void>): Promise<Figures> => {
    let isDone = false;
    const done = work.finally(() => (isDone = true));
    const times = await requestsWhile(host(), (ms) => !isDone || ms < 1_000);
    await done;
    return percentiles(times);
  };
  const variants = [
    { name: quiet, measure: quietly },
    { name: commanded, measure: () => beside(retryKilledAtHalf(url, store)) },
    { name: handled, measure: () => beside(untilHandledOnce(store, round, entries)) },
  ];
  return {
    title: `stuck: requests while ${entries} entries are retried, by a command that is killed and run again`,
    figures: ['p50 ms', 'p99 ms'],
    baseline: quiet,
    rounds: await interleave(variants, run.rounds, run.signal),
    targets: [commanded, handled].map((of) => ({ figure: 'p99 ms', of, against: quiet, atMost: 1.3 })),
    missing: [],
  };
}
