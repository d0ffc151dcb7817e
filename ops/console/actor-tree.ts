import type { CommandLoad } from '../../actors/commands/dispatcher.js';
import type { ChildStatus } from '../../actors/supervisor/supervisor.js';
import type { ActorNode } from '../../endpoints/console/source.js';
import type { PerspectiveState } from '../../runtime/perspectives/service-perspectives.js';

/** What lives in a host: the supervisor's children, and those of their own that have a state or a mailbox. */
export interface LivingParts {
  readonly supervisor: { readonly tree: readonly ChildStatus[] };
  readonly dispatcher: { readonly loads: readonly CommandLoad[] };
  readonly service: { readonly perspectives: readonly PerspectiveState[] };
}

export function actorsOf({ supervisor, dispatcher, service }: LivingParts): readonly ActorNode[] {
  const inner: Readonly<Record<string, () => readonly ActorNode[]>> = {
    dispatcher: () => dispatcher.loads.map(handlerNode),
    service: () => service.perspectives.map(perspectiveNode),
  };
  return supervisor.tree.map(({ name, state, restarts, since, lastError }) => ({
    name,
    state,
    restarts,
    since: new Date(since).toISOString(),
    lastError,
    children: inner[name]?.(),
  }));
}

const handlerNode = ({ command, running, waiting, mailbox }: CommandLoad): ActorNode => ({
  name: `${command} handler`,
  state: running > 0 ? `running ${running}` : 'idle',
  mailbox: { depth: waiting, limit: mailbox },
});

const perspectiveNode = ({ name, state, error }: PerspectiveState): ActorNode => ({
  name: `${name} perspective`,
  state,
  lastError: error,
});
