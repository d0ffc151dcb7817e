import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { startChild } from '../harness/child.js';
import { measure, type OrderServer } from '../http/measure.js';
import type { Section } from '../harness/report.js';
import { type Figures, interleave } from '../harness/rounds.js';
import type { SuiteRun } from '../harness/suite.js';

const compiled = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const warmUpSeconds = 1;

/** POST /orders without inspection, with inspection, after an inspector has left, and with an inspector attached. */
export async function inspect(run: SuiteRun): Promise<readonly Section[]> {
  const seconds = run.seconds ?? 2;
  const measured = (server: OrderServer): Promise<Figures> => measure(server, seconds);
  const warmUp = (server: OrderServer): Promise<Figures> => measure(server, warmUpSeconds);
  const variants = [
    { name: 'not inspected', measure: () => freshly('bare', warmUp, measured) },
    { name: 'never attached', measure: () => freshly('inspected', warmUp, measured) },
    {
      name: 'attached and left',
      measure: () => freshly('inspected', (server) => whileAttached(server, warmUp), measured),
    },
    {
      name: 'one attached',
      measure: () => freshly('inspected', warmUp, (server) => whileAttached(server, measured)),
    },
  ];
  run.printProgress(`inspect: ${run.rounds} rounds`);
  return [sectionOf(await interleave(variants, run.rounds, run.signal))];
}

/** Uses a new process each time: the JIT's results differ more between processes than the effect to be measured. */
async function freshly(
  mode: string,
  before: (server: OrderServer) => Promise<Figures>,
  measured: (server: OrderServer) => Promise<Figures>,
): Promise<Figures> {
  const server: OrderServer = await startChild(compiled('../http/our-server.js'), [mode], { core: 0 });
  try {
    await before(server);
    return await measured(server);
  } finally {
    await server.stop();
  }
}

/** The received frames are a figure, too: an inspector that receives nothing would cost nothing. */
async function whileAttached(
  server: OrderServer,
  measured: (server: OrderServer) => Promise<Figures>,
): Promise<Figures> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.output.port}/inspect`);
  let frames = 0;
  socket.on('message', () => frames++);
  await once(socket, 'open');
  const from = performance.now();
  try {
    const figures = await measured(server);
    return { ...figures, 'frames/s': (frames * 1000) / (performance.now() - from) };
  } finally {
    socket.close();
    await once(socket, 'close');
  }
}

const sectionOf = (rounds: Section['rounds']): Section => ({
  title: 'inspect: POST /orders, nothing stored, 64 connections',
  figures: ['req/s', 'CPU µs', 'p99 ms', 'frames/s'],
  baseline: 'never attached',
  rounds,
  targets: [
    { figure: 'req/s', of: 'one attached', against: 'never attached', atLeast: 0.85 },
    { figure: 'req/s', of: 'attached and left', against: 'never attached', atLeast: 0.97 },
    { figure: 'frames/s', of: 'one attached', atLeast: 100 },
  ],
  missing: [],
});
