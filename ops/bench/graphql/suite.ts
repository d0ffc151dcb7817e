import { fileURLToPath } from 'node:url';
import { targetsAgainst, earlierName } from '../harness/earlier-build.js';
import { startChild } from '../harness/child.js';
import { measure, type OrderServer } from '../http/measure.js';
import type { Section } from '../harness/report.js';
import { interleave, type Rounds, type Variant } from '../harness/rounds.js';
import type { SuiteRun } from '../harness/suite.js';

const ourServer = fileURLToPath(new URL('../http/our-server.js', import.meta.url));
const apis = { REST: 'rest', GraphQL: 'graphql' } as const;

/** One server, the same command: sent as a POST and as a mutation. */
export async function graphql(run: SuiteRun): Promise<readonly Section[]> {
  const { earlier } = run;
  const running: OrderServer[] = [];
  const variants: Variant[] = [];
  try {
    for (const build of earlier === undefined ? [undefined] : [undefined, earlier]) {
      const script = build === undefined ? ourServer : build.fileOf(ourServer);
      const server: OrderServer = await startChild(script, ['bare'], { core: 0 });
      running.push(server);
      for (const [name, api] of Object.entries(apis)) {
        await measure(server, 1, { api });
        variants.push({
          name: build === undefined ? name : earlierName(name, build),
          measure: () => measure(server, run.seconds ?? 2, { api }),
        });
      }
    }
    run.printProgress(`graphql: ${run.rounds} rounds`);
    return [sectionOf(run, await interleave(variants, run.rounds, run.signal))];
  } finally {
    await Promise.all(running.map((server) => server.stop()));
  }
}

const sectionOf = ({ earlier }: SuiteRun, rounds: Rounds): Section => ({
  title: 'graphql: createOrder, nothing stored, 64 connections',
  figures: ['req/s', 'CPU µs'],
  baseline: 'REST',
  rounds,
  targets:
    earlier === undefined
      ? [{ figure: 'CPU µs', of: 'GraphQL', against: 'REST', atMost: 3 }]
      : targetsAgainst(Object.keys(apis), earlier, { figure: 'req/s', atLeast: 0.97 }),
  missing: [],
});
