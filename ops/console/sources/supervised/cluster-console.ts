import { Problem } from '../../../../contracts/problems.js';
import type { CompactCounts } from '../../model/compact-counts.js';
import { combinePast } from '../../model/recent-counts.js';
import type { HostAnswer, HostAnswers } from '../../model/host-answers.js';
import type { LifecyclePart } from '../../model/lifecycle.js';
import type { ConsoleHost, ConsoleSource, HostInfo } from '../../model/console-source.js';
import {
  combineActors,
  combineFigures,
  combineHealth,
  combineInFlight,
  combineOutbox,
  combinePerspectives,
  combineRequests,
  countsByHost,
  withCounts,
  type AnswersByHost,
} from './combine-answers.js';
import type { OwnHost } from '../host/own-host.js';
import { DepartedCounts } from './departed-counts.js';
import { LastKnown } from './last-known.js';
import { ownAnswers } from './own-answers.js';

/** The hosts of one supervisor, seen from one of them. */
interface PeerHosts {
  /** The name of this host. */
  readonly name: string;
  readonly hosts: readonly { readonly name: string; readonly readyAt?: string }[];
  /** The answers of this host. */
  answers: HostAnswers | undefined;
  /** The answers of all others, or of one, by name; without those that do not answer. */
  ask<Q extends keyof HostAnswers>(
    host: string | undefined,
    question: Q,
    ...args: Parameters<HostAnswers[Q]>
  ): Promise<ReadonlyMap<string, HostAnswer<Q>>>;
  /** Makes one other host, or all others, keep traces until the returned function is called. */
  requestRecording(host: string | undefined, what: 'traces'): () => void;
}

type Own = Omit<OwnHost, 'database' | 'stop'>;

/** All hosts of a supervisor combined, and each of them: stored data comes from the store, the rest from the host. */
export function clusterConsole(own: Own, peers: PeerHosts): ConsoleSource {
  const answers = ownAnswers(own);
  peers.answers = answers;
  const hosts = () => peers.hosts.map(({ name }) => name);
  const all = allHosts(own, answers, peers);
  const others = new Map<string, ConsoleHost>();
  const other = (name: string): ConsoleHost | undefined => {
    if (!hosts().includes(name)) return undefined;
    const found = others.get(name) ?? otherHost(name, own, peers);
    others.set(name, found);
    return found;
  };
  const mine: ConsoleHost = { ...own.host, about: { ...own.host.about, hasCombinedView: true } };
  return {
    hosts,
    select: ({ host }) => (host === undefined ? all : host === peers.name ? mine : other(host)),
  };
}

function allHosts({ host, inspection }: Own, answers: HostAnswers, peers: PeerHosts): ConsoleHost {
  const askAll = async <Q extends keyof HostAnswers>(
    question: Q,
    ...args: Parameters<HostAnswers[Q]>
  ): Promise<AnswersByHost<HostAnswer<Q>>> => {
    const answer = answers[question] as (...given: typeof args) => HostAnswer<Q> | Promise<HostAnswer<Q>>;
    const [mine, others] = await Promise.all([answer(...args), peers.ask(undefined, question, ...args)]);
    return peers.hosts.map(({ name }) => [name, name === peers.name ? mine : others.get(name)]);
  };
  const lastKnown = new LastKnown<CompactCounts>();
  const departed = new DepartedCounts();
  const { lifecycle, outbox, perspectives } = host;
  return {
    about: { ...host.about, host: 'all hosts', hasCombinedView: true },
    ...storeParts(host),
    ...(lifecycle && {
      lifecycle: {
        machine: lifecycle.machine,
        figures: async () => {
          const byHost = lastKnown.update(await askAll('counts'));
          return withCounts(combineFigures(byHost), departed.update(countsByHost(byHost)));
        },
        history: async () => combinePast((await askAll('history')).map(([, past]) => past ?? [])),
        requests: async (text, limit) => combineRequests(await askAll('requests', text, limit), limit),
        inFlight: async () => combineInFlight(await askAll('inFlight')),
        request: async (id) => foundIn(await askAll('request', id)),
        watch: () => bothOf(inspection.feed.attach(ignoreFrame), peers.requestRecording(undefined, 'traces')),
      },
    }),
    ...(perspectives && {
      perspectives: { ...perspectives, list: async () => combinePerspectives(await askAll('perspectives')) },
    }),
    ...(outbox && {
      outbox: {
        ...outbox,
        figures: async () => combineOutbox(await outbox.figures(), await askAll('relay')),
      },
    }),
    actors: async () => combineActors(await askAll('actors')),
    health: async () => combineHealth(await askAll('health')),
  };
}

/** A host in another process: questions go there, operator actions on the store are done from here. */
function otherHost(name: string, { host }: Own, peers: PeerHosts): ConsoleHost {
  const askHost = async <Q extends keyof HostAnswers>(
    question: Q,
    ...args: Parameters<HostAnswers[Q]>
  ): Promise<HostAnswer<Q>> => {
    const answers = await peers.ask(name, question, ...args);
    const answer = answers.get(name);
    if (answer !== undefined) return answer;
    throw hostSilent(name);
  };
  const lifecycle = (machine: unknown): LifecyclePart => ({
    machine,
    figures: async () => combineFigures([[name, await askHost('counts')]]),
    history: () => askHost('history'),
    requests: (text, limit) => askHost('requests', text, limit),
    inFlight: () => askHost('inFlight'),
    request: async (id) => (await askHost('request', id)) ?? undefined,
    watch: () => peers.requestRecording(name, 'traces'),
  });
  const { outbox, perspectives } = host;
  return {
    get about(): HostInfo {
      const { readyAt = '' } = peers.hosts.find((peer) => peer.name === name) ?? {};
      return { ...host.about, host: name, startedAt: readyAt, hasCombinedView: true };
    },
    ...storeParts(host),
    ...(host.lifecycle && { lifecycle: lifecycle(host.lifecycle.machine) }),
    ...(perspectives && { perspectives: { ...perspectives, list: () => askHost('perspectives') } }),
    ...(outbox && {
      outbox: {
        ...outbox,
        figures: async () => combineOutbox(await outbox.figures(), [[name, await askHost('relay')]]),
      },
    }),
    actors: () => askHost('actors'),
    health: () => askHost('health'),
  };
}

/** What every host of the store shows alike. */
function storeParts(host: ConsoleHost): Partial<ConsoleHost> {
  const { deployments, effects, flags, machines, map, processes, streams, stuck, system } = host;
  return {
    ...(streams && { streams }),
    ...(system && { system }),
    ...(processes && { processes }),
    ...(effects && { effects }),
    ...(stuck && { stuck }),
    ...(flags && { flags }),
    ...(deployments && { deployments }),
    ...(machines && { machines }),
    ...(map && { map }),
  };
}

/** A host that does not answer may be the one that remembers it. */
function foundIn(answers: AnswersByHost<HostAnswer<'request'>>) {
  for (const [host, detail] of answers) if (detail && detail.isRebuilt !== true) return { ...detail, host };
  const missing = answers.find(([, answer]) => answer === undefined);
  if (missing !== undefined) throw hostSilent(missing[0]);
  return answers.find(([, detail]) => detail)?.[1] ?? undefined;
}

const hostSilent = (host: string): Problem =>
  new Problem('host-silent', { detail: `${host} is not responding; try again in a moment.`, retryAfter: 1 });

function bothOf(one: () => void, other: () => void): () => void {
  return () => {
    one();
    other();
  };
}

const ignoreFrame = (): void => undefined;
