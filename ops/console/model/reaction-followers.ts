import type { ActorNode } from './actor-node.js';

/** The followers of a reaction or process on one host. */
interface HostFollowers {
  readonly name: string;
  /** Of several. */
  readonly host: string | undefined;
  readonly states: Readonly<Record<string, number>>;
  readonly error: string | undefined;
}

export const reactionFollowers = (actors: readonly ActorNode[], host?: string): readonly HostFollowers[] =>
  actors.flatMap((actor) => {
    const { followers, lastError: error, children = [] } = actor;
    if (followers !== undefined) return [{ name: followers.of, host, states: followers.states, error }];
    return reactionFollowers(children, isHost(actor) ? actor.name : host);
  });

/** Where several hosts are shown as one, each is a node without restarts. */
export const isHost = ({ restarts, children }: ActorNode): boolean =>
  restarts === undefined && children !== undefined;
