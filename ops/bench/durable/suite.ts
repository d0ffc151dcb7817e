import { installPeers, startAll } from '../harness/peers.js';
import type { Missing, Section } from '../harness/report.js';
import { interleave } from '../harness/rounds.js';
import { scaled, type SuiteRun } from '../harness/suite.js';
import { commandsOf, processesOf, timersOf } from './measures.js';
import { crashes } from './crashes.js';
import { nodeForPeers } from './node-for-peers.js';
import type { RunningSystem } from './system.js';
import { ours, systems } from './systems.js';

/** What a client of a durable system waits for, here and with systems that promise something similar. */
export async function peers(run: SuiteRun): Promise<readonly Section[]> {
  const running: RunningSystem[] = [];
  try {
    const missing = await startAll(systems, ({ start }) => start(nodeForPeers(run)), running, {
      install: () => installPeers(run),
    });
    run.printProgress('peers: warming up');
    for (const system of running) await commandsOf(system, Math.min(2, run.seconds ?? 2));
    return [
      await commandSection(run, running, missing),
      await timerSection(run, running, missing),
      await processSection(run, running, missing),
      await crashSection(run, running, missing),
    ];
  } finally {
    for (const system of running) await system.stop();
  }
}

async function commandSection(
  run: SuiteRun,
  running: readonly RunningSystem[],
  missing: readonly Missing[],
): Promise<Section> {
  const seconds = run.seconds ?? 5;
  run.printProgress(`peers: commands, ${run.rounds} rounds`);
  const variants = running.map((system) => ({
    name: system.name,
    measure: () => commandsOf(system, seconds),
  }));
  return {
    title: 'peers: a durable command with a key over HTTP, 64 in flight, fsync on',
    figures: ['commands/s', 'CPU µs', 'p50 ms', 'p99 ms'],
    baseline: ours,
    missing,
    targets: [],
    rounds: await interleave(variants, run.rounds, run.signal),
    notes: [
      'ours: the event, the audits of event and command, and the answer for the key in one commit',
      'DBOS: a workflow with the key as its id and one step that inserts a row; a second request with the key polls once a second',
      'Restate: a handler of a virtual object that sets its state; the server calls it over a connection of its own',
      'CPU: of all processes of a system, its database or server included',
    ],
  };
}

async function timerSection(
  run: SuiteRun,
  running: readonly RunningSystem[],
  missing: readonly Missing[],
): Promise<Section> {
  const count = scaled(10_000, run);
  run.printProgress(`peers: ${count} timers, ${run.rounds} rounds`);
  const variants = running.map((system) => ({
    name: system.name,
    measure: () => timersOf(system, count, run),
  }));
  return {
    title: `peers: how late ${count} durable timers are that are due within 10 s`,
    figures: ['p50 ms', 'p99 ms', 'latest ms', 'CPU µs'],
    baseline: ours,
    missing,
    targets: [],
    rounds: await interleave(variants, run.rounds, run.signal),
    notes: [
      'DBOS: workflows that sleep in the memory of their process and continue after a restart; a delayed workflow of a queue would be found by a query once a second',
      'CPU: for setting a timer and for firing it',
    ],
  };
}

async function processSection(
  run: SuiteRun,
  running: readonly RunningSystem[],
  missing: readonly Missing[],
): Promise<Section> {
  const count = scaled(2_000, run);
  run.printProgress(`peers: ${count} processes, ${run.rounds} rounds`);
  const variants = running.map((system) => ({
    name: system.name,
    measure: () => processesOf(system, count, run),
  }));
  return {
    title: `peers: three steps each of ${count} processes, started by 64 clients as fast as they are answered`,
    figures: ['processes/s', 'CPU µs', 'p50 ms', 'p99 ms'],
    baseline: ours,
    missing,
    targets: [],
    rounds: await interleave(variants, run.rounds, run.signal),
    notes: [
      'p50, p99: from the request to the third step',
      'ours: a statechart; each step is a command with an event, both audited',
      'DBOS, Restate: a function with three steps, whose results are recorded',
    ],
  };
}

async function crashSection(
  run: SuiteRun,
  running: readonly RunningSystem[],
  missing: readonly Missing[],
): Promise<Section> {
  const kills = scaled(20, run);
  run.printProgress(`peers: ${kills} crashes each`);
  const variants = running.map((system) => ({
    name: system.name,
    measure: () => crashes(system, kills, run.signal),
  }));
  return {
    title: `peers: crashes: ${kills} × all processes killed under load, PostgreSQL by an immediate stop`,
    figures: ['resume ms', 'longest ms', 'acknowledged', 'lost', 'doubled'],
    baseline: ours,
    missing,
    rounds: await interleave(variants, 1, run.signal),
    targets: ['lost', 'doubled'].map((figure) => ({ figure, of: ours, atMost: 0 })),
    notes: [
      'resume: from the kill to the first answer to a new request; the processes are started again at once',
      'doubled: keys whose order was placed more than once; a step of DBOS may run again if it ends before it is recorded',
    ],
  };
}
