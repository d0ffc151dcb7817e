import { batch, effect, type Signal, signal } from '@preact/signals';
import type { ActorNode } from '../model/actors.js';
import type { HealthFigures } from '../model/health.js';
import type { LifecycleFigures } from '../model/lifecycle.js';
import type { OutboxFigures } from '../model/outbox.js';
import type { Overview } from '../model/overview.js';
import type { PerspectiveFigures } from '../model/perspectives.js';
import type { StreamRecord } from '../model/records.js';
import type { RequestLine } from '../model/requests.js';
import type { HostFacts } from '../model/source.js';
import { type Flow, flowBetween, type Sample, sampleOf } from '../model/samples.js';
import { addressIn, read } from './api.js';
import { type EventStream, openEventStream } from './event-stream.js';
import { chosenHost, offered } from './place.js';
import { askForToken, mayComeBack, token } from './token.js';

export const connection = signal<'connecting' | 'live' | 'lost'>('connecting');
export const hosts = signal<readonly string[]>([]);
/** Whether all of them can be seen as one. */
export const together = signal(false);
export const facts = signal<HostFacts | undefined>(undefined);
export const figures = signal<LifecycleFigures | undefined>(undefined);
export const requests = signal<readonly RequestLine[]>([]);
export const records = signal<readonly StreamRecord[]>([]);
export const head = signal<number | undefined>(undefined);
export const perspectives = signal<readonly PerspectiveFigures[] | undefined>(undefined);
export const outbox = signal<OutboxFigures | undefined>(undefined);
export const actors = signal<readonly ActorNode[] | undefined>(undefined);
export const health = signal<HealthFigures | undefined>(undefined);
export const overview = signal<Overview | undefined>(undefined);
/** What the host itself cannot read at the moment. */
export const trouble = signal<readonly string[]>([]);
/** Once a second, for what is told as an age. */
export const now = signal(Date.now());
export const samples = signal<readonly Sample[]>([]);
/** What moved since the last news. */
export const flow = signal<Flow>({ turn: 0, edges: new Map() });

const mostRequests = 300;
const mostRecords = 500;
const mostSamples = 120;

const parts: Readonly<Record<string, Signal<never>>> = {
  overview,
  perspectives,
  outbox,
  actors,
  health,
  trouble,
  head,
} as unknown as Record<string, Signal<never>>;

const comeBackAfterMs = 1500;
const hostsEveryMs = 5000;

/** Follows the chosen host, and begins anew when another one is chosen. */
export function follow(): void {
  effect(() => {
    const host = chosenHost.value;
    // Another token may open more.
    void token.value;
    forget();
    let again: ReturnType<typeof setTimeout>;
    const comeBack = (): void => {
      if (mayComeBack()) stream = listen(host, comeBackLater);
      else comeBackLater();
    };
    const comeBackLater = (): void => {
      again = setTimeout(comeBack, comeBackAfterMs);
    };
    let stream = listen(host, comeBackLater);
    const timer = setInterval(() => {
      now.value = Date.now();
      takeSample();
    }, 1000);
    return () => {
      clearInterval(timer);
      clearTimeout(again);
      stream.close();
    };
  });
  readHosts();
  setInterval(readHosts, hostsEveryMs);
}

/** A monitor hears of more hosts as time goes by. */
function readHosts(): void {
  read<string[]>('hosts').then(
    (all) => {
      if (all.join() !== hosts.peek().join()) hosts.value = all;
    },
    () => undefined,
  );
}

function listen(host: string | undefined, comeBackLater: () => void): EventStream {
  const last = records.peek()[0]?.position ?? head.peek();
  const takers = new Map<string, (data: never) => void>();
  const on = (name: string, take: (data: never) => void): void => void takers.set(name, take);
  for (const [name, part] of Object.entries(parts)) on(name, (data) => (part.value = data));
  on('host', (told: HostFacts) => {
    batch(() => {
      offered.value = told.panels;
      together.value = told.together === true;
      facts.value = told;
    });
  });
  on('lifecycle', takeFigures);
  on('requests', (news: RequestLine[]) => {
    requests.value = merged(news, requests.value, ({ id }) => id, mostRequests);
  });
  on('records', (news: StreamRecord[]) => {
    records.value = merged(news.toReversed(), records.value, ({ position }) => position, mostRecords);
  });
  return openEventStream(addressIn('stream', { host, after: last?.toString() }), {
    open: () => (connection.value = 'live'),
    event: (name, data) => takers.get(name)?.(JSON.parse(data) as never),
    ended: (status, { detail = 'The host asks for a token.' }) => {
      connection.value = 'lost';
      if (status === 401) void askForToken(detail);
      comeBackLater();
    },
  });
}

function takeFigures(latest: LifecycleFigures): void {
  batch(() => {
    const before = figures.value;
    if (before !== undefined) {
      flow.value = { turn: flow.value.turn + 1, edges: flowBetween(before, latest) };
    }
    figures.value = latest;
  });
}

let counted: LifecycleFigures | undefined;

function takeSample(): void {
  const latest = figures.value;
  if (latest === undefined) return;
  const sample = sampleOf(Date.now(), counted ?? latest, latest, requests.value);
  counted = latest;
  samples.value = [...samples.value, sample].slice(-mostSamples);
}

function forget(): void {
  counted = undefined;
  batch(() => {
    connection.value = 'connecting';
    for (const part of [facts, figures, head, perspectives, outbox, actors, health, overview])
      part.value = undefined;
    requests.value = [];
    records.value = [];
    trouble.value = [];
    samples.value = [];
  });
}

/** Newest first, each once. */
function merged<T>(news: readonly T[], known: readonly T[], idOf: (one: T) => unknown, most: number): T[] {
  const seen = new Set(news.map(idOf));
  return [...news, ...known.filter((one) => !seen.has(idOf(one)))].slice(0, most);
}
