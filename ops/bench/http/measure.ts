import { fileURLToPath } from 'node:url';
import { type Child, runChild } from '../harness/child.js';
import type { Figures } from '../harness/rounds.js';
import { cpuSeconds } from './cpu-time.js';
import type { Load } from './load.js';

/** A process that accepts orders. */
export type OrderServer = Child<{ readonly port: number }>;

const load = fileURLToPath(new URL('load.js', import.meta.url));
const loadCore = 1;

interface MeasureOptions {
  /** The name of its rate. */
  readonly rate?: string;
  readonly api?: 'rest' | 'graphql' | 'keyed' | 'tool';
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Measures a server under 64 busy connections from another core. */
export async function measure(
  { pid, output }: Pick<OrderServer, 'pid' | 'output'>,
  seconds: number,
  { rate = 'req/s', api = 'rest', headers = {} }: MeasureOptions = {},
): Promise<Figures> {
  const before = (await cpuSeconds(pid)) ?? Number.NaN;
  const args = [String(output.port), String(seconds), api, JSON.stringify(headers)];
  const done = await runChild<Load>(load, args, { core: loadCore });
  const after = (await cpuSeconds(pid)) ?? Number.NaN;
  return {
    [rate]: done.requests / done.seconds,
    'CPU µs': ((after - before) * 1e6) / done.all,
    'p50 ms': done.p50,
    'p99 ms': done.p99,
  };
}
