import { batch, computed, effect, type Signal, signal } from '@preact/signals';
import type { ActorNode } from '../../model/actor-node.js';
import type { HealthFigures } from '../../model/health.js';
import type { LifecycleFigures } from '../../model/lifecycle.js';
import type { OutboxFigures } from '../../model/outbox.js';
import type { Overview } from '../../model/overview.js';
import type { PerspectiveFigures } from '../../model/perspectives.js';
import type { StreamRecord } from '../../model/system-records.js';
import type { RequestItem } from '../../model/requests.js';
import type { HostInfo } from '../../model/console-source.js';
import type { PastCounts } from '../../model/recent-counts.js';
import {
  type Flow,
  flowBetween,
  pastSamples,
  recentRequests,
  type Sample,
  sampleOf,
} from '../../model/samples.js';
import { foundFaults, silentAfterMs, stateSentence } from '../../model/state-bar.js';
import { SteadyFaults } from '../../model/steady-faults.js';
import { addressIn, read } from './api.js';
import { type EventStream, openEventStream } from './event-stream.js';
import { chosenHost, hostPanels } from './navigation.js';
import { askToSignIn, mayReconnect, user } from './session.js';

export const connection = signal<'connecting' | 'live' | 'lost'>('connecting');
/** When the host last sent something. */
const receivedAt = signal(Date.now());
/** Updated once a second. */
const clock = signal(Date.now());
const silentMs = computed(() => Math.max(0, clock.value - receivedAt.value));
/** Nothing on the page is current. */
export const isStale = computed(() => connection.value === 'lost' || silentMs.value > silentAfterMs);
/** The time of what is shown, for ages: it stands still when nothing arrives. */
export const now = computed(() => (isStale.value ? receivedAt.value : clock.value));
export const hosts = signal<readonly string[]>([]);
/** Whether all of them can be shown as one. */
export const hasCombinedView = signal(false);
export const hostInfo = signal<HostInfo | undefined>(undefined);
export const figures = signal<LifecycleFigures | undefined>(undefined);
export const requests = signal<readonly RequestItem[]>([]);
export const records = signal<readonly StreamRecord[]>([]);
export const head = signal<number | undefined>(undefined);
export const perspectives = signal<readonly PerspectiveFigures[] | undefined>(undefined);
export const outbox = signal<OutboxFigures | undefined>(undefined);
export const actors = signal<readonly ActorNode[] | undefined>(undefined);
export const health = signal<HealthFigures | undefined>(undefined);
export const overview = signal<Overview | undefined>(undefined);
/** What the host itself cannot read at the moment. */
const failingParts = signal<readonly string[]>([]);
/** Requests that have been running for a while. */
export const inFlight = signal<readonly RequestItem[]>([]);
export const samples = signal<readonly Sample[]>([]);
/** The changes since the last update. */
export const flow = signal<Flow>({ tick: 0, edges: new Map() });

let steady = new SteadyFaults();

export const state = computed(() => {
  const facts = {
    connection: connection.value,
    silentMs: silentMs.value,
    health: health.value,
    failingParts: failingParts.value,
    outbox: outbox.value,
    perspectives: perspectives.value,
    inFlight: inFlight.value,
    recent: recentRequests(samples.value),
    hosts: overview.value?.hosts,
  };
  return stateSentence(facts, steady.order(foundFaults(facts), clock.value));
});

const maxRequests = 300;
const maxRecords = 500;
const maxSamples = 120;

const partSignals: Readonly<Record<string, Signal<never>>> = {
  overview,
  perspectives,
  outbox,
  actors,
  health,
  trouble: failingParts,
  head,
  inFlight,
} as unknown as Record<string, Signal<never>>;

const reconnectAfterMs = 1500;
const hostsEveryMs = 5000;

/** Follows the chosen host, and starts over when another host is chosen. */
export function followHost(): void {
  effect(() => {
    const host = chosenHost.value;
    // Another user may see more.
    void user.value;
    reset();
    let again: ReturnType<typeof setTimeout>;
    const reconnect = (): void => {
      if (mayReconnect()) stream = listen(host, reconnectLater);
      else reconnectLater();
    };
    const reconnectLater = (): void => {
      again = setTimeout(reconnect, reconnectAfterMs);
    };
    let stream = listen(host, reconnectLater);
    const timer = setInterval(() => {
      clock.value = Date.now();
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

/** A monitor discovers more hosts over time. */
function readHosts(): void {
  read<string[]>('hosts').then(
    (all) => {
      if (all.join() !== hosts.peek().join()) hosts.value = all;
    },
    () => undefined,
  );
}

function listen(host: string | undefined, reconnectLater: () => void): EventStream {
  const last = records.peek()[0]?.position ?? head.peek();
  const handlers = new Map<string, (data: never) => void>();
  const on = (name: string, handle: (data: never) => void): void => void handlers.set(name, handle);
  for (const [name, part] of Object.entries(partSignals)) on(name, (data) => (part.value = data));
  on('host', (info: HostInfo) => {
    batch(() => {
      hostPanels.value = info.panels;
      hasCombinedView.value = info.hasCombinedView === true;
      hostInfo.value = info;
    });
  });
  on('lifecycle', takeFigures);
  on('history', (past: PastCounts[]) => {
    // A page that reconnects has samples of its own.
    if (samples.value.length === 0) samples.value = pastSamples(past, Date.now(), requests.value);
  });
  on('requests', (added: RequestItem[]) => {
    requests.value = merged(added, requests.value, ({ id }) => id, maxRequests);
  });
  on('records', (added: StreamRecord[]) => {
    records.value = merged(added.toReversed(), records.value, ({ position }) => position, maxRecords);
  });
  return openEventStream(addressIn('stream', { host, after: last?.toString() }), {
    open: () => (connection.value = 'live'),
    received: () => (receivedAt.value = Date.now()),
    event: (name, data) => handlers.get(name)?.(JSON.parse(data) as never),
    ended: (status, { detail = 'The host asks you to sign in.' }) => {
      connection.value = 'lost';
      if (status === 401) void askToSignIn(detail);
      reconnectLater();
    },
  });
}

function takeFigures(latest: LifecycleFigures): void {
  batch(() => {
    const before = figures.value;
    if (before !== undefined) {
      flow.value = { tick: flow.value.tick + 1, edges: flowBetween(before, latest) };
    }
    figures.value = latest;
  });
}

let lastSampled: { readonly at: number; readonly figures: LifecycleFigures } | undefined;

/** A host that sends nothing is not idle: there is no sample of it. */
function takeSample(): void {
  const latest = figures.value;
  const before = lastSampled;
  if (latest === undefined || (before !== undefined && receivedAt.value <= before.at)) return;
  lastSampled = { at: Date.now(), figures: latest };
  if (before === undefined) return;
  const sample = sampleOf(before, lastSampled, requests.value);
  samples.value = [...samples.value, sample].slice(-maxSamples);
}

function reset(): void {
  lastSampled = undefined;
  steady = new SteadyFaults();
  batch(() => {
    connection.value = 'connecting';
    for (const part of [hostInfo, figures, head, perspectives, outbox, actors, health, overview])
      part.value = undefined;
    receivedAt.value = clock.value = Date.now();
    inFlight.value = [];
    requests.value = [];
    records.value = [];
    failingParts.value = [];
    samples.value = [];
  });
}

/** Newest first, without duplicates. */
function merged<T>(added: readonly T[], known: readonly T[], idOf: (one: T) => unknown, limit: number): T[] {
  const seen = new Set(added.map(idOf));
  return [...added, ...known.filter((one) => !seen.has(idOf(one)))].slice(0, limit);
}
