import type { CommandLoad } from '../../../actors/commands/dispatcher.js';
import { longestTenants } from '../../../actors/commands/waiting-commands.js';
import type { ReactionFollowers } from '../../../actors/reactions/running-reactions.js';
import type { ChildStatus } from '../../../actors/supervisor/child.js';
import type { ActorNode } from './actor-node.js';
import type { PerspectiveState } from '../../../runtime/perspectives/service-perspectives.js';

/** The actors of a host: the supervisor's children, and their own children that have a state or a mailbox. */
interface ActorSources {
  readonly supervisor: { readonly tree: readonly ChildStatus[] };
  readonly dispatcher: { readonly loads: readonly CommandLoad[] };
  readonly reactions: { readonly followers: readonly ReactionFollowers[] };
  readonly service: { readonly perspectives: readonly PerspectiveState[] };
  readonly relay: () => { readonly state: string };
  /** Undefined on a host that receives nothing. */
  readonly subscriber: () => { readonly state: string } | undefined;
  readonly board: { readonly state: string };
}

export function actorTree(sources: ActorSources): readonly ActorNode[] {
  const { supervisor, service } = sources;
  const perspectiveStates = new Map(
    service.perspectives.map((state) => [`${state.name} perspective`, state]),
  );
  const nodeOf = ({ name, state, restarts, since, lastError, children }: ChildStatus): ActorNode => {
    const perspective = state === 'running' ? perspectiveStates.get(name) : undefined;
    return {
      name,
      state: perspective?.state ?? state,
      restarts,
      since: new Date(since).toISOString(),
      lastError: perspective?.error ?? lastError,
      ownState: state === 'running' ? ownStates[name]?.(sources) : undefined,
      children: ownChildren[name]?.(sources) ?? children?.map(nodeOf),
    };
  };
  return supervisor.tree.map(nodeOf);
}

/** The children of the supervisor that are statecharts themselves. */
const ownStates: Readonly<Record<string, (sources: ActorSources) => string | undefined>> = {
  'outbox-relay': ({ relay }) => relay().state,
  subscriber: ({ subscriber }) => subscriber()?.state,
  health: ({ board }) => board.state,
};

/** The children that the supervisor does not know. */
const ownChildren: Readonly<Record<string, (sources: ActorSources) => readonly ActorNode[]>> = {
  dispatcher: ({ dispatcher }) => dispatcher.loads.map(handlerNode),
  reactions: ({ reactions }) => reactions.followers.map(reactionNode),
};

const handlerNode = ({ command, running, waiting, mailbox, byTenant }: CommandLoad): ActorNode => ({
  name: `${command} handler`,
  state: [
    running > 0 ? `running ${running}` : 'idle',
    ...longestTenants([{ byTenant }]).flatMap(waitingText),
  ].join(', '),
  mailbox: { depth: waiting, limit: mailbox },
});

/** Which tenants wait longest in line; those without one are in the depth alone. */
const waitingText = ({ tenant, waiting }: { readonly tenant: string | null; readonly waiting: number }) =>
  tenant === null ? [] : [`${waiting} of ${tenant} waiting`];

const reactionNode = ({ kind, name, states, error }: ReactionFollowers): ActorNode => ({
  name: `${name} ${kind}`,
  state: Object.entries(states)
    .map(([state, number]) => `${state} ${number}`)
    .sort()
    .join(', '),
  followers: { of: name, states },
  lastError: error,
});
