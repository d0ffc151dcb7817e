import { fileURLToPath } from 'node:url';
import { runChild, startChild } from '../child.js';
import { cpuSeconds } from '../http/cpu-time.js';
import type { Load } from '../http/load.js';
import type { Section } from '../report.js';
import { type Figures, interleave } from '../rounds.js';
import type { SuiteRun } from '../suite.js';

const compiled = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** One server, the same command: sent as a POST and as a mutation. */
export async function graphql(run: SuiteRun): Promise<readonly Section[]> {
  const server = await startChild<{ readonly port: number }>(compiled('../http/our-server.js'), ['bare'], {
    core: 0,
  });
  const measure = async (way: 'rest' | 'graphql', seconds: number): Promise<Figures> => {
    const before = (await cpuSeconds(server.pid)) ?? Number.NaN;
    const args = [String(server.told.port), String(seconds), way];
    const load = await runChild<Load>(compiled('../http/load.js'), args, { core: 1 });
    const after = (await cpuSeconds(server.pid)) ?? Number.NaN;
    return { 'req/s': load.requests / load.seconds, 'CPU µs': ((after - before) * 1e6) / load.all };
  };
  try {
    run.tell(`graphql: ${run.rounds} rounds`);
    for (const way of ['rest', 'graphql'] as const) await measure(way, 1);
    const seconds = run.seconds ?? 2;
    const variants = [
      { name: 'REST', measure: () => measure('rest', seconds) },
      { name: 'GraphQL', measure: () => measure('graphql', seconds) },
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
