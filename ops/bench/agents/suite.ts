import { fileURLToPath } from 'node:url';
import { startChild } from '../harness/child.js';
import { withDatabases } from '../harness/databases.js';
import type { Section } from '../harness/report.js';
import { interleave, type Variant } from '../harness/rounds.js';
import type { SuiteRun } from '../harness/suite.js';
import { measure, type OrderServer } from '../http/measure.js';

const ourHost = fileURLToPath(new URL('../audit/our-host.js', import.meta.url));
const apis = { 'POST with a key': 'keyed', 'call of a tool': 'tool' } as const;

/** One host, the same audited command, whose answer is kept: sent as a POST and as a call of a tool. */
export const agents = (run: SuiteRun): Promise<readonly Section[]> =>
  withDatabases(1, async ([url = '']) => {
    const host: OrderServer = await startChild(ourHost, [url, 'all'], { core: 0 });
    try {
      const variants: Variant[] = [];
      for (const [name, api] of Object.entries(apis)) {
        await measure(host, 1, { api });
        variants.push({ name, measure: () => measure(host, run.seconds ?? 3, { api }) });
      }
      run.printProgress(`agents: ${run.rounds} rounds`);
      const [baseline = '', of = ''] = Object.keys(apis);
      return [
        {
          title: 'agents: CreateOrder, audited, 64 connections',
          figures: ['req/s', 'CPU µs', 'p50 ms'],
          baseline,
          rounds: await interleave(variants, run.rounds, run.signal),
          targets: [
            { figure: 'req/s', of, against: baseline, atLeast: 1 / 1.15 },
            { figure: 'CPU µs', of, against: baseline, atMost: 1.15 },
          ],
          missing: [],
        },
      ];
    } finally {
      await host.stop();
    }
  });
