import { Problem } from '../../contracts/problems.js';
import type { ConsoleHost, ConsoleSource, HostFacts, LifecyclePart } from '../../endpoints/console/source.js';
import {
  actorsTogether,
  figuresTogether,
  healthTogether,
  outboxTogether,
  perspectivesTogether,
  requestsTogether,
  type Said,
} from './console-together.js';
import { hostAnswers, type HostAnswers, type OwnHost } from './host-answers.js';
import type { Peers } from './peers.js';

/** All hosts of a supervisor as one, and each of them: what is stored comes from the store, the rest from its host. */
export function clusterConsole(own: OwnHost, peers: Peers): ConsoleSource {
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

type Answer<Q extends keyof HostAnswers> = Awaited<ReturnType<HostAnswers[Q]>>;

function allHosts({ host, inspection }: OwnHost, answers: HostAnswers, peers: Peers): ConsoleHost {
  const said = async <Q extends keyof HostAnswers>(
    question: Q,
    ...args: Parameters<HostAnswers[Q]>
  ): Promise<Said<Answer<Q>>> => {
    const answer = answers[question] as (...given: typeof args) => Answer<Q> | Promise<Answer<Q>>;
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
function otherHost(name: string, { host }: OwnHost, peers: Peers): ConsoleHost {
  const said = async <Q extends keyof HostAnswers>(
    question: Q,
    ...args: Parameters<HostAnswers[Q]>
  ): Promise<Answer<Q>> => {
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
function foundIn(said: Said<Answer<'request'>>) {
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
