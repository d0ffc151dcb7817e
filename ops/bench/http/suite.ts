import { fileURLToPath } from 'node:url';
import { startChild } from '../harness/child.js';
import { baseline, type Contender, installPeers, peer, startAll } from '../harness/peers.js';
import type { Missing, Section } from '../harness/report.js';
import { interleave, type Rounds } from '../harness/rounds.js';
import type { SuiteRun } from '../harness/suite.js';
import { measure, type OrderServer } from './measure.js';

interface Server extends Contender {
  readonly script: string;
  readonly args?: readonly string[];
}

type Running = Server & OrderServer;

const compiled = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

const servers: readonly Server[] = [
  { name: 'plain Fastify', script: baseline('fastify-plain.mjs') },
  { name: 'ours', script: compiled('our-server.js'), args: ['bare'] },
  { name: 'ours, hooks', script: compiled('our-server.js'), args: ['hooks'] },
  { name: 'ours, own routes', script: compiled('our-server.js'), args: ['own-routes'] },
  { name: 'ours, own hook', script: compiled('our-server.js'), args: ['own-hook'] },
  { name: 'naive XState', script: baseline('fastify-xstate.mjs') },
  { name: 'NestJS CQRS', script: peer('nest.mjs'), isPeer: true },
  { name: 'Moleculer-web', script: peer('moleculer.mjs'), isPeer: true },
];

const serverCore = 0;

/** POST /orders on one core, with 64 connections from the other. */
export async function http(run: SuiteRun): Promise<readonly Section[]> {
  const seconds = run.seconds ?? 2;
  const running: Running[] = [];
  try {
    const missing = await startAll(servers, start, running, { install: () => installPeers(run) });
    run.printProgress('http: warming up');
    for (const server of running) await measure(server, 1);
    run.printProgress(`http: ${run.rounds} rounds`);
    const variants = running.map((server) => ({
      name: server.name,
      measure: () => measure(server, seconds),
    }));
    return [sectionOf(await interleave(variants, run.rounds, run.signal), missing)];
  } finally {
    await Promise.all(running.map((server) => server.stop()));
  }
}

async function start(server: Server): Promise<Running> {
  const options = { core: serverCore };
  return { ...server, ...(await startChild<{ port: number }>(server.script, server.args ?? [], options)) };
}

const sectionOf = (rounds: Rounds, missing: readonly Missing[]): Section => ({
  title: 'http: POST /orders, nothing stored, 64 connections',
  figures: ['req/s', 'CPU µs', 'p50 ms', 'p99 ms'],
  baseline: 'plain Fastify',
  rounds,
  targets: [{ figure: 'req/s', of: 'ours', against: 'plain Fastify', atLeast: 0.75, aim: 0.9 }],
  missing,
});
