import { fileURLToPath } from 'node:url';
import { startChild } from '../harness/child.js';
import { measure, type OrderServer } from '../http/measure.js';
import type { Section } from '../harness/report.js';
import { interleave, type Rounds, type Variant } from '../harness/rounds.js';
import type { SuiteRun } from '../harness/suite.js';

const ourServer = fileURLToPath(new URL('../http/our-server.js', import.meta.url));
const apis = { REST: 'rest', GraphQL: 'graphql' } as const;

/** One server, the same command: sent as a POST and as a mutation. */
export async function graphql(run: SuiteRun): Promise<readonly Section[]> {
  const server: OrderServer = await startChild(ourServer, ['bare'], { core: 0 });
  try {
    const variants: Variant[] = [];
    for (const [name, api] of Object.entries(apis)) {
      await measure(server, 1, { api });
      variants.push({ name, measure: () => measure(server, run.seconds ?? 2, { api }) });
    }
    run.printProgress(`graphql: ${run.rounds} rounds`);
    return [sectionOf(await interleave(variants, run.rounds, run.signal))];
  } finally {
    await server.stop();
  }
}

const sectionOf = (rounds: Rounds): Section => ({
  title: 'graphql: createOrder, nothing stored, 64 connections',
  figures: ['req/s', 'CPU µs'],
  baseline: 'REST',
  rounds,
  targets: [{ figure: 'CPU µs', of: 'GraphQL', against: 'REST', atMost: 3 }],
  missing: [],
});
