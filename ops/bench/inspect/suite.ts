import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { type Child, runChild, startChild } from '../child.js';
import { cpuSeconds } from '../http/cpu-time.js';
import type { Load } from '../http/load.js';
import type { Section } from '../report.js';
import { type Figures, interleave } from '../rounds.js';
import type { SuiteRun } from '../suite.js';

type Server = Child<{ readonly port: number }>;

const compiled = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const start = (mode: string): Promise<Server> =>
  startChild(compiled('../http/our-server.js'), [mode], { core: 0 });

/** POST /orders while somebody looks, while somebody could, and where nobody can. */
export async function inspect(run: SuiteRun): Promise<readonly Section[]> {
  const [plain, inspected] = [await start('bare'), await start('inspected')];
  const seconds = run.seconds ?? 2;
  try {
    run.tell('inspect: warming up');
    await measure(plain, 1);
    await whileAttached(inspected, () => measure(inspected, 1));
    run.tell(`inspect: ${run.rounds} rounds`);
    const variants = [
      { name: 'not inspected', measure: () => measure(plain, seconds) },
      { name: 'nobody attached', measure: () => measure(inspected, seconds) },
      {
        name: 'one attached',
        measure: () => whileAttached(inspected, () => measure(inspected, seconds)),
      },
    ];
    return [sectionOf(await interleave(variants, run.rounds, run.signal))];
  } finally {
    await Promise.all([plain.stop(), inspected.stop()]);
  }
}

async function measure({ pid, told }: Server, seconds: number): Promise<Figures> {
  const before = (await cpuSeconds(pid)) ?? Number.NaN;
  const args = [String(told.port), String(seconds)];
  const load = await runChild<Load>(compiled('../http/load.js'), args, { core: 1 });
  const after = (await cpuSeconds(pid)) ?? Number.NaN;
  return {
    'req/s': load.requests / load.seconds,
    'CPU µs': ((after - before) * 1e6) / load.all,
    'p99 ms': load.p99,
  };
}

/** The frames that came are a figure too: one who sees nothing would cost nothing. */
async function whileAttached(server: Server, measured: () => Promise<Figures>): Promise<Figures> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.told.port}/inspect`);
  let frames = 0;
  socket.on('message', () => frames++);
  await once(socket, 'open');
  const from = performance.now();
  try {
    const figures = await measured();
    return { ...figures, 'frames/s': (frames * 1000) / (performance.now() - from) };
  } finally {
    socket.close();
    await once(socket, 'close');
  }
}

const sectionOf = (rounds: Section['rounds']): Section => ({
  title: 'inspect: POST /orders, nothing stored, 64 connections',
  figures: ['req/s', 'CPU µs', 'p99 ms', 'frames/s'],
  baseline: 'nobody attached',
  rounds,
  bars: [
    { figure: 'req/s', of: 'one attached', against: 'nobody attached', atLeast: 0.85 },
    { figure: 'frames/s', of: 'one attached', atLeast: 100 },
  ],
  missing: [],
});
