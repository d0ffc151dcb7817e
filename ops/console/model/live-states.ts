import type { ActorNode } from './actor-node.js';
import type { StateFigures } from './lifecycle.js';

/** What the page knows about running machines. */
export interface MachineFacts {
  readonly lifecycle: readonly StateFigures[];
  readonly relay: string | undefined;
  readonly perspectives: readonly {
    readonly name: string;
    readonly state: string;
    readonly rebuild?: unknown;
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
      .map(({ state, inFlight }) => [state, `${inFlight} requests`]),
  'outbox-relay': ({ relay }) => (relay ?? '').split(', ').map((state) => [state, 'the relay'] as const),
  'perspective-runner': ({ perspectives }) => perspectives.map(({ name, state }) => [state, name]),
  'perspective-rebuild': ({ perspectives }) =>
    perspectives.filter(({ rebuild }) => rebuild !== undefined).map(({ name }) => ['replaying', name]),
  'supervised-child': ({ actors }) => supervised(actors),
  supervisor: ({ actors }) => (actors.length === 0 ? [] : [['supervising', 'the supervisor']]),
};

export function liveStates(machine: string, facts: MachineFacts): LiveStates {
  const found = Object.hasOwn(finders, machine) ? (finders[machine]?.(facts) ?? []) : [];
  const states = new Map<string, readonly string[]>();
  for (const [state, who] of found) if (state !== '') states.set(state, [...(states.get(state) ?? []), who]);
  return states;
}

/** A perspective that works is in a state of its own machine: as a child it is running. */
const childStates = new Set(['starting', 'running', 'clearing', 'crashed', 'stopping', 'stopped', 'failed']);

const supervised = (actors: readonly ActorNode[]): Found =>
  actors.flatMap(({ name, state, restarts, children = [] }) => [
    ...(restarts === undefined ? [] : [[childStates.has(state) ? state : 'running', name] as const]),
    ...supervised(children),
  ]);

/** XState's own events are named after the actor that they come from. */
export const eventLabel = (event: string): string =>
  /^xstate\.(done|error|after|snapshot)\b/.exec(event)?.[1] ?? event;
