import type { Reaction } from '../../contracts/reaction.js';
import { log } from '../../runtime/log.js';
import type { Addition } from '../../runtime/service/service.js';
import { Supervisor } from '../supervisor/supervisor.js';
import { reactionWork } from './reaction-work.js';
import { type ReactionsOptions, ServiceReactions } from './service-reactions.js';

type Listed = readonly Reaction[] | { readonly reactions?: readonly Reaction[] };

/** Runs these reactions on this host: it shares their partitions with the other hosts of the store. */
export const addReactions =
  (listed: Listed, options: ReactionsOptions): Addition =>
  (parts) => {
    const reactions = 'length' in listed ? listed : (listed.reactions ?? []);
    const child = new ServiceReactions(parts, reactions.map(reactionWork), options);
    const supervisor = new Supervisor();
    parts.stops.push(() => supervisor.stop());
    supervisor.start(child).catch((err: unknown) => log.error({ err }, 'the reactions cannot be started'));
  };
