import { Problem } from '../../../../contracts/problems.js';
import type { HostAnswer, HostAnswers } from '../../model/host-answers.js';
import type { LifecyclePart } from '../../model/lifecycle.js';
import type { ConsoleHost, ConsoleSource, HostFacts } from '../../model/source.js';
import {
  actorsTogether,
  figuresTogether,
  healthTogether,
  outboxTogether,
  perspectivesTogether,
  requestsTogether,
  type Said,
} from './together.js';
import type { OwnHost } from '../host/own-host.js';
import { hostAnswers } from './host-answers.js';

/** The hosts of one supervisor, as one of them can ask the others. */
interface PeerHosts {
  /** Of the one that asks. */
  readonly name: string;
  readonly hosts: readonly { readonly name: string; readonly readyAt?: string }[];
  /** What this one answers. */
  answers: HostAnswers | undefined;
  /** The answers of all others, or of one, by their names; one that does not answer is not among them. */
  ask<Q extends keyof HostAnswers>(
    host: string | undefined,
    question: Q,
    ...args: Parameters<HostAnswers[Q]>
  ): Promise<ReadonlyMap<string, HostAnswer<Q>>>;
  /** One other host, or all others, keep traces until the returned function is called. */
  wants(host: string | undefined, what: 'traces'): () => void;
}

type Own = Omit<OwnHost, 'database'>;

/** All hosts of a supervisor as one, and each of them: what is stored comes from the store, the rest from its host. */
export function clusterConsole(own: Own, peers: PeerHosts): ConsoleSource {
  const answers = hostAnswers(own);
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
  const mine: ConsoleHost = { ...own.host, about: { ...own.host.about, together: true } };
  return {
    hosts,
    at: ({ host }) => (host === undefined ? all : host === peers.name ? mine : other(host)),
  };
}

function allHosts({ host, inspection }: Own, answers: HostAnswers, peers: PeerHosts): ConsoleHost {
  const said = async <Q extends keyof HostAnswers>(
    question: Q,
    ...args: Parameters<HostAnswers[Q]>
  ): Promise<Said<HostAnswer<Q>>> => {
    const answer = answers[question] as (...given: typeof args) => HostAnswer<Q> | Promise<HostAnswer<Q>>;
    const [mine, others] = await Promise.all([answer(...args), peers.ask(undefined, question, ...args)]);
    return peers.hosts.map(({ name }) => [name, name === peers.name ? mine : others.get(name)]);
  };
  const { lifecycle, outbox, perspectives, record, system } = host;
  return {
    ...(record && { record }),
    about: { ...host.about, host: 'all hosts', together: true },
    ...(system && { system }),
    ...(lifecycle && {
      lifecycle: {
        machine: lifecycle.machine,
        figures: async () => figuresTogether(await said('counts')),
        requests: async (text, limit) => requestsTogether(await said('requests', text, limit), limit),
        request: async (id) => foundIn(await said('request', id)),
        watch: () => bothOf(inspection.feed.attach(nobody), peers.wants(undefined, 'traces')),
      },
    }),
    ...(perspectives && {
      perspectives: { ...perspectives, list: async () => perspectivesTogether(await said('perspectives')) },
    }),
    ...(outbox && {
      outbox: { ...outbox, figures: async () => outboxTogether(await outbox.figures(), await said('relay')) },
    }),
    actors: async () => actorsTogether(await said('actors')),
    health: async () => healthTogether(await said('health')),
  };
}

/** One that another process is: what it is asked goes there, what is done to the store is done from here. */
function otherHost(name: string, { host }: Own, peers: PeerHosts): ConsoleHost {
  const said = async <Q extends keyof HostAnswers>(
    question: Q,
    ...args: Parameters<HostAnswers[Q]>
  ): Promise<HostAnswer<Q>> => {
    const answers = await peers.ask(name, question, ...args);
    const answer = answers.get(name);
    if (answer !== undefined) return answer;
    throw silent(name);
  };
  const lifecycle = (machine: unknown): LifecyclePart => ({
    machine,
    figures: async () => figuresTogether([[name, await said('counts')]]),
    requests: (text, limit) => said('requests', text, limit),
    request: async (id) => (await said('request', id)) ?? undefined,
    watch: () => peers.wants(name, 'traces'),
  });
  const { outbox, perspectives, record, system } = host;
  return {
    ...(record && { record }),
    get about(): HostFacts {
      const { readyAt = '' } = peers.hosts.find((peer) => peer.name === name) ?? {};
      return { ...host.about, host: name, startedAt: readyAt, together: true };
    },
    ...(system && { system }),
    ...(host.lifecycle && { lifecycle: lifecycle(host.lifecycle.machine) }),
    ...(perspectives && { perspectives: { ...perspectives, list: () => said('perspectives') } }),
    ...(outbox && {
      outbox: {
        ...outbox,
        figures: async () => outboxTogether(await outbox.figures(), [[name, await said('relay')]]),
      },
    }),
    actors: () => said('actors'),
    health: () => said('health'),
  };
}

/** One that does not answer may be the one that remembers it. */
function foundIn(said: Said<HostAnswer<'request'>>) {
  for (const [host, detail] of said) if (detail) return { ...detail, host };
  const missing = said.find(([, answer]) => answer === undefined);
  if (missing !== undefined) throw silent(missing[0]);
  return undefined;
}

const silent = (host: string): Problem =>
  new Problem('host-silent', { detail: `${host} does not answer; try again in a moment.`, retryAfter: 1 });

function bothOf(one: () => void, other: () => void): () => void {
  return () => {
    one();
    other();
  };
}

const nobody = (): void => undefined;
