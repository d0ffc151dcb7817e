import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Problem } from '../../../contracts/problems.js';
import { runChild } from '../harness/child.js';
import type { Figures } from '../harness/rounds.js';
import { quantile } from '../harness/statistics.js';
import type { SuiteRun } from '../harness/suite.js';
import type { KeyedLoad } from './keyed-load.js';
import type { Order } from './load-order.js';
import { cpuOf } from './processes.js';
import type { RequestTemplate, RunningSystem } from './system.js';

const script = fileURLToPath(new URL('keyed-load.js', import.meta.url));
const connections = 64;
const endless = 1e9;
const longestMs = 120_000;

/** Commands, each with a key of its own, one after another on every connection. */
export async function commandsOf(system: RunningSystem, seconds: number): Promise<Figures> {
  const { load, cpu } = await costOf(system, async () => ({
    load: await send(system, system.requests.command, { seconds }),
  }));
  return {
    'commands/s': load.answered / load.seconds,
    'CPU µs': (cpu * 1e6) / load.answered,
    'p50 ms': load.p50,
    'p99 ms': load.p99,
  };
}

/** Timers that are set first, and then fire within this. */
const firingMs = 10_000;
/** Setting a timer takes at most as many times as long as a command; if not, they are set again with twice the time. */
const setting = 3;
const tries = 4;

export async function timersOf(
  system: RunningSystem,
  count: number,
  { signal }: Pick<SuiteRun, 'signal'>,
): Promise<Figures> {
  const { 'commands/s': rate = 1 } = await commandsOf(system, 1);
  let allowedMs = 2_000 + (setting * count * 1_000) / rate;
  for (let tried = 0; tried < tries; tried++, allowedMs *= 2) {
    const from = Date.now() + allowedMs;
    const { cpu, times, isInTime } = await costOf(system, async () => {
      await send(system, system.requests.timer, { count, due: { from, ms: firingMs } });
      return { isInTime: Date.now() < from, times: await untilTaken(system, count, signal, from + firingMs) };
    });
    if (!isInTime) continue;
    return {
      'p50 ms': quantile(times, 0.5),
      'p99 ms': quantile(times, 0.99),
      'latest ms': Math.max(...times),
      'CPU µs': (cpu * 1e6) / count,
    };
  }
  throw new Problem('unexpected', {
    detail: `${system.name} does not set ${count} timers in ${allowedMs} ms.`,
  });
}

/** Processes, started as fast as their clients are answered. */
export async function processesOf(
  system: RunningSystem,
  count: number,
  { signal }: Pick<SuiteRun, 'signal'>,
): Promise<Figures> {
  const { cpu, load, times, ended } = await costOf(system, async () => {
    const taken = untilTaken(system, count, signal);
    const sent = await send(system, system.requests.process, { count });
    return { load: sent, times: await taken, ended: Date.now() };
  });
  return {
    'processes/s': (count * 1000) / (ended - load.began),
    'CPU µs': (cpu * 1e6) / count,
    'p50 ms': quantile(times, 0.5),
    'p99 ms': quantile(times, 0.99),
  };
}

const send = (system: RunningSystem, request: RequestTemplate, order: Partial<Order>): Promise<KeyedLoad> => {
  const port = Number(new URL(system.url).port);
  const due = { from: 0, ms: 0 };
  const whole: Order = {
    port,
    request,
    connections,
    due,
    count: endless,
    seconds: longestMs / 1000,
    ...order,
  };
  return runChild<KeyedLoad>(script, [JSON.stringify(whole)]);
};

async function untilTaken(
  system: RunningSystem,
  count: number,
  signal: AbortSignal,
  due = Date.now(),
): Promise<readonly number[]> {
  const times: number[] = [];
  for (const end = due + longestMs; times.length < count; await delay(20, undefined, { signal })) {
    times.push(...(await system.taken()));
    if (Date.now() > end)
      throw new Problem('unexpected', {
        detail: `${system.name}: ${times.length} of ${count} in ${longestMs} ms.`,
      });
  }
  return times;
}

/** With the seconds of CPU that all processes of the system used meanwhile. */
async function costOf<T extends object>(
  system: RunningSystem,
  work: () => Promise<T>,
): Promise<T & { readonly cpu: number }> {
  const roots = await system.roots();
  const before = await cpuOf(roots);
  const done = await work();
  return { ...done, cpu: (await cpuOf(roots)) - before };
}
