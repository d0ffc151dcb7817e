import type { CommandLoad } from '../../../actors/commands/dispatcher.js';
import type { ChildStatus } from '../../../actors/supervisor/child.js';
import type { ActorNode } from './actor-node.js';
import type { PerspectiveState } from '../../../runtime/perspectives/service-perspectives.js';

/** The actors of a host: the supervisor's children, and their own children that have a state or a mailbox. */
interface ActorSources {
  readonly supervisor: { readonly tree: readonly ChildStatus[] };
  readonly dispatcher: { readonly loads: readonly CommandLoad[] };
  readonly service: { readonly perspectives: readonly PerspectiveState[] };
}

export function actorTree({ supervisor, dispatcher, service }: ActorSources): readonly ActorNode[] {
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
      children: name === 'dispatcher' ? dispatcher.loads.map(handlerNode) : children?.map(nodeOf),
    };
  };
  return supervisor.tree.map(nodeOf);
}

const handlerNode = ({ command, running, waiting, mailbox }: CommandLoad): ActorNode => ({
  name: `${command} handler`,
  state: running > 0 ? `running ${running}` : 'idle',
  mailbox: { depth: waiting, limit: mailbox },
});
