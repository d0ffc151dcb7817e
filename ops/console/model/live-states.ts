import type { ActorNode } from './actor-node.js';
import type { StateFigures } from './lifecycle.js';
import { isHost, reactionFollowers } from './reaction-followers.js';

/** What the page knows about running machines. */
export interface MachineFacts {
  readonly lifecycle: readonly StateFigures[];
  readonly perspectives: readonly {
    readonly name: string;
    readonly state: string;
    readonly rebuild?: { readonly step?: string | undefined } | undefined;
  }[];
  readonly actors: readonly ActorNode[];
}

/** Who is in which state of a machine, by the key of the state. */
export type LiveStates = ReadonlyMap<string, readonly string[]>;

type Found = readonly (readonly [state: string, who: string])[];

const finders: Readonly<Record<string, (facts: MachineFacts) => Found>> = {
  lifecycle: ({ lifecycle }) =>
    lifecycle
      .filter(({ inFlight }) => inFlight > 0)
      .map(({ state, inFlight }) => [state, `${inFlight} ${inFlight === 1 ? 'request' : 'requests'}`]),
  'health-board': ({ actors }) => ownStates(actors, 'health', 'the health board'),
  follower: ({ perspectives, actors }) => [
    ...perspectives.map(({ name, state }) => [followerState(state), name] as const),
    ...reactionStates(actors),
    ...ownStates(actors, 'outbox-relay', 'the relay'),
    ...ownStates(actors, 'subscriber', 'the subscriber'),
  ],
  'perspective-rebuild': ({ perspectives }) =>
    perspectives.map(({ name, rebuild }) => [rebuild?.step ?? '', name]),
  'supervised-child': ({ actors }) => supervised(actors),
  supervisor: ({ actors }) => supervisors(actors),
};

export function liveStates(machine: string, facts: MachineFacts): LiveStates {
  const found = Object.hasOwn(finders, machine) ? (finders[machine]?.(facts) ?? []) : [];
  const states = new Map<string, readonly string[]>();
  for (const [state, who] of found) if (state !== '') states.set(state, [...(states.get(state) ?? []), who]);
  return states;
}

/** Why no state of a machine is marked. */
export function withoutState(machine: string, { perspectives }: MachineFacts): string {
  const elsewhere = perspectives.filter(({ rebuild }) => rebuild !== undefined && rebuild.step === undefined);
  return machine === 'perspective-rebuild' && elsewhere.length > 0
    ? `running in another process: ${elsewhere.map(({ name }) => name).join(', ')}`
    : 'not running';
}

/** A perspective names what it does; its machine, whether it works or waits. */
const followerState = (state: string): string =>
  state === 'live' ? 'waiting' : state === 'catchingUp' || state === 'rewinding' ? 'running' : state;

const reactionStates = (actors: readonly ActorNode[]): Found =>
  reactionFollowers(actors).flatMap(({ name, host, states }) =>
    Object.entries(states).map(
      ([state, number]) => [state, `${name} (${number})${host === undefined ? '' : ` on ${host}`}`] as const,
    ),
  );

/** An actor that is a statechart itself; with several hosts, the one of each host. */
const ownStates = (actors: readonly ActorNode[], wanted: string, who: string): Found =>
  actors.flatMap((actor) => {
    if (isHost(actor)) return ownStates(actor.children ?? [], wanted, actor.name);
    return actor.name === wanted ? [[actor.ownState ?? '', who] as const] : [];
  });

/** A host that answers is supervised: one that stops closes its console first. */
function supervisors(actors: readonly ActorNode[]): Found {
  const hosts = actors.filter(isHost).map(({ name }) => ['supervising', name] as const);
  return hosts.length > 0 || actors.length === 0 ? hosts : [['supervising', 'the supervisor']];
}

/** A perspective that works is in a state of its own machine: as a child it is running. */
const childStates = new Set(['starting', 'running', 'clearing', 'crashed', 'stopping', 'stopped', 'failed']);

const supervised = (actors: readonly ActorNode[]): Found =>
  actors.flatMap(({ name, state, restarts, children = [] }) => [
    ...(restarts === undefined ? [] : [[childStates.has(state) ? state : 'running', name] as const]),
    ...supervised(children),
  ]);
