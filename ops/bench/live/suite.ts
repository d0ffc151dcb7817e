import { readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newUuid } from '../../../contracts/uuid.js';
import { post } from '../../../endpoints/testing/http-client.js';
import { withDatabases } from '../append/databases.js';
import { startChild } from '../harness/child.js';
import type { Section } from '../harness/report.js';
import type { Figures } from '../harness/rounds.js';
import type { SuiteRun } from '../harness/suite.js';
import { watchFrom } from './watchers.js';

interface Scene {
  readonly name: string;
  readonly notes: number;
  /** The streams that are open. */
  readonly paths: (ids: readonly string[]) => readonly string[];
  readonly changesPerSecond: number;
}

const scenes: readonly Scene[] = [
  {
    name: '1,000 watchers of one row each',
    notes: 1_000,
    paths: (ids) => ids.map((id) => `/notes/${id}/live`),
    changesPerSecond: 200,
  },
  {
    name: '100 watchers of the list',
    notes: 500,
    paths: () => Array.from({ length: 100 }, () => '/notes/live'),
    changesPerSecond: 50,
  },
];

/** How far streams are behind the commit of a change, and what they cost the host. */
export const live = (run: SuiteRun): Promise<readonly Section[]> =>
  withDatabases(scenes.length, async (urls) => {
    const sections: Section[] = [];
    for (const [n, scene] of scenes.entries()) sections.push(await sectionOf(scene, urls[n] ?? '', run));
    return sections;
  });

async function sectionOf(scene: Scene, databaseUrl: string, run: SuiteRun): Promise<Section> {
  run.printProgress(`live: ${scene.name}, ${scene.changesPerSecond} changes/s`);
  const script = fileURLToPath(new URL('host.js', import.meta.url));
  const host = await startChild<{ readonly url: string }>(script, [databaseUrl]);
  try {
    const found = await measure(scene, host.output.url, host.pid, run.seconds ?? 20);
    return {
      title: `live: ${scene.name}, ${scene.changesPerSecond} changes/s`,
      figures: Object.keys(found),
      baseline: scene.name,
      rounds: new Map([[scene.name, [found]]]),
      targets: [
        { figure: 'p99 ms', of: scene.name, atMost: 500 },
        { figure: 'more MB', of: scene.name, atMost: 150 },
        { figure: 'missed', of: scene.name, atMost: 0 },
        { figure: 'doubled', of: scene.name, atMost: 0 },
      ],
      missing: [],
    };
  } finally {
    await host.stop();
  }
}

async function measure(scene: Scene, url: string, pid: number, seconds: number): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const ids = Array.from({ length: scene.notes }, () => newUuid());
  const write = async (noteId: string, n: number): Promise<void> => {
    await post(url, { noteId, text: 'a note', shelf: 'a', n, userId: '' }, { path: '/write', agent });
  };
  for (let at = 0; at < ids.length; at += 50)
    await Promise.all(ids.slice(at, at + 50).map((id) => write(id, 0)));
  await changeFor(2, scene, ids, write);
  const before = await residentMb(pid);
  const delivery = new Delivery();
  const paths = scene.paths(ids);
  const streams: { close(): void }[] = [];
  for (let at = 0; at < paths.length; at += 50) {
    const opening = paths.slice(at, at + 50);
    const watch = (path: string) => watchFrom(url + path, (id, n) => delivery.received(id, n));
    streams.push(...(await Promise.all(opening.map(watch))));
  }
  const sent = await changeFor(seconds, scene, ids, async (id, n) => {
    await write(id, n);
    delivery.committed(id, n);
  });
  const watchersOfRow = streams.length === ids.length ? 1 : streams.length;
  for (let waited = 0; waited < 100 && delivery.count < sent * watchersOfRow; waited++) await delay(50);
  const more = (await residentMb(pid)) - before;
  for (const stream of streams) stream.close();
  agent.destroy();
  return { 'changes/s': sent / seconds, ...delivery.figures(watchersOfRow), 'more MB': more };
}

/** Changes one note after the other at a steady rate; returns how many. */
async function changeFor(
  seconds: number,
  { changesPerSecond }: Scene,
  ids: readonly string[],
  write: (id: string, n: number) => Promise<void>,
): Promise<number> {
  const started = performance.now();
  const pending: Promise<void>[] = [];
  for (let n = 0; n < seconds * changesPerSecond; n++) {
    const due = started + (n / changesPerSecond) * 1_000;
    if (due > performance.now()) await delay(due - performance.now());
    pending.push(write(ids[n % ids.length] ?? '', Math.round(started) + n));
  }
  await Promise.all(pending);
  return pending.length;
}

/** When changes were committed, as their senders saw it, and when they arrived. */
class Delivery {
  readonly #committedAt = new Map<string, number>();
  readonly #arrivals: { readonly change: string; readonly at: number }[] = [];

  committed(id: string, n: number): void {
    this.#committedAt.set(`${id} ${n}`, performance.now());
  }

  received(id: string, n: number): void {
    this.#arrivals.push({ change: `${id} ${n}`, at: performance.now() });
  }

  get count(): number {
    return this.#arrivals.length;
  }

  figures(watchersOfRow: number): Figures {
    const counts = new Map(Array.from(this.#committedAt.keys(), (change) => [change, 0]));
    for (const { change } of this.#arrivals) counts.set(change, (counts.get(change) ?? 0) + 1);
    const sum = (of: (count: number) => number): number =>
      [...counts.values()].reduce((all, count) => all + Math.max(0, of(count)), 0);
    const sorted = this.#arrivals
      .map(({ change, at }) => Math.max(0, at - (this.#committedAt.get(change) ?? at)))
      .toSorted((x, y) => x - y);
    const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
    return {
      'p50 ms': at(0.5),
      'p99 ms': at(0.99),
      missed: sum((count) => watchersOfRow - count),
      doubled: sum((count) => count - watchersOfRow),
    };
  }
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1_024;
}
