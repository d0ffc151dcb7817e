import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '../../../contracts/problems.js';
import { type Subject, subjects } from './subjects.js';

const [what = '', name = '', seconds = '0.5'] = process.argv.slice(2);
const heapBytes = 256 << 20;

async function runFor(subject: Subject, milliseconds: number): Promise<number> {
  const until = performance.now() + milliseconds;
  let runs = 0;
  while (performance.now() < until) {
    for (let n = 0; n < 50; n++) await subject();
    runs += 50;
    // Garbage is released between two turns of the event loop, as on a server.
    await nextTurn();
  }
  return runs;
}

/** Microseconds of CPU per run, including garbage collection. */
async function cpuPerRun(subject: Subject): Promise<number> {
  const before = process.cpuUsage();
  const runs = await runFor(subject, Number(seconds) * 1000);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / runs;
}

/**
 * Bytes per run, in a heap so large that nothing is collected meanwhile; over so many runs that recompiled code does
 * not count.
 */
async function heapPerRun(subject: Subject): Promise<number> {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  let runs = 0;
  let used = 0;
  while (used < heapBytes) {
    for (let n = 0; n < 500; n++) await subject();
    runs += 500;
    used = process.memoryUsage().heapUsed - before;
  }
  return used / runs;
}

const prepare = subjects[name];
if (prepare === undefined) throw new Problem('usage', { detail: `There is no '${name}' to measure.` });
const subject = await prepare();
await runFor(subject, 400);
const value = what === 'cpu' ? await cpuPerRun(subject) : await heapPerRun(subject);
process.stdout.write(`${JSON.stringify({ value })}\n`);
