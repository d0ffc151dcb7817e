import { readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newUuid } from '../../../contracts/uuid.js';
import { post } from '../../../endpoints/testing/http-client.js';
import { withDatabases } from '../harness/databases.js';
import { startChild } from '../harness/child.js';
import type { Section } from '../harness/report.js';
import type { Figures } from '../harness/rounds.js';
import { scaled, type SuiteRun } from '../harness/suite.js';
import { Delivery } from './delivery.js';
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
  {
    name: '1,000 GraphQL subscribers of one row each',
    notes: 1_000,
    paths: (ids) => ids.map((id) => subscriptionPath(`note(id: "${id}")`)),
    changesPerSecond: 200,
  },
  {
    name: '100 GraphQL subscribers of the list',
    notes: 500,
    paths: () => Array.from({ length: 100 }, () => subscriptionPath('notes')),
    changesPerSecond: 50,
  },
];

const subscriptionPath = (field: string): string =>
  `/graphql?query=${encodeURIComponent(`subscription { ${field} { type id row { noteId text shelf n userId } } }`)}`;

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
    const sized = { ...scene, notes: scaled(scene.notes, run) };
    const found = await measure(sized, host.output.url, host.pid, run.seconds ?? 20);
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
  /** A host on a busy machine may refuse. */
  const write = async (noteId: string, n: number): Promise<boolean> => {
    const note = { noteId, text: 'a note', shelf: 'a', n, userId: '' };
    const { status } = await post(url, note, { path: '/write', agent });
    return status === 200;
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
    const isCommitted = await write(id, n);
    if (isCommitted) delivery.committed(id, n);
    return isCommitted;
  });
  const watchersOfRow = streams.length === ids.length ? 1 : streams.length;
  for (let waited = 0; waited < 100 && delivery.count < sent.committed * watchersOfRow; waited++)
    await delay(50);
  const more = (await residentMb(pid)) - before;
  for (const stream of streams) stream.close();
  agent.destroy();
  const { committed, refused } = sent;
  return {
    'changes/s': committed / seconds,
    refused,
    ...delivery.figures(watchersOfRow),
    'more MB': more,
  };
}

/** Changes one note after the other at a steady rate. */
async function changeFor(
  seconds: number,
  { changesPerSecond }: Scene,
  ids: readonly string[],
  write: (id: string, n: number) => Promise<boolean>,
): Promise<{ readonly committed: number; readonly refused: number }> {
  const started = performance.now();
  const pending: Promise<boolean>[] = [];
  for (let n = 0; n < seconds * changesPerSecond; n++) {
    const due = started + (n / changesPerSecond) * 1_000;
    if (due > performance.now()) await delay(due - performance.now());
    pending.push(write(ids[n % ids.length] ?? '', Math.round(started) + n));
  }
  const committed = (await Promise.all(pending)).filter((isCommitted) => isCommitted).length;
  return { committed, refused: pending.length - committed };
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1_024;
}
