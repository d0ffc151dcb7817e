import { fileURLToPath } from 'node:url';
import { startChild } from '../child.js';
import { measure, type OrderServer } from '../http/measure.js';
import type { Section } from '../report.js';
import { type Figures, interleave } from '../rounds.js';
import type { SuiteRun } from '../suite.js';

const compiled = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** One server, the same command: sent as a POST and as a mutation. */
export async function graphql(run: SuiteRun): Promise<readonly Section[]> {
  const server: OrderServer = await startChild(compiled('../http/our-server.js'), ['bare'], {
    core: 0,
  });
  const asked = (way: 'rest' | 'graphql', seconds: number): Promise<Figures> =>
    measure(server, seconds, { way });
  try {
    run.tell(`graphql: ${run.rounds} rounds`);
    for (const way of ['rest', 'graphql'] as const) await asked(way, 1);
    const seconds = run.seconds ?? 2;
    const variants = [
      { name: 'REST', measure: () => asked('rest', seconds) },
      { name: 'GraphQL', measure: () => asked('graphql', seconds) },
    ];
    return [sectionOf(await interleave(variants, run.rounds, run.signal))];
  } finally {
    await server.stop();
  }
}

const sectionOf = (rounds: Section['rounds']): Section => ({
  title: 'graphql: createOrder, nothing stored, 64 connections',
  figures: ['req/s', 'CPU µs'],
  baseline: 'REST',
  rounds,
  bars: [{ figure: 'CPU µs', of: 'GraphQL', against: 'REST', atMost: 3 }],
  missing: [],
});
