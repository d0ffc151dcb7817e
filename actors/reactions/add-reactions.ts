import { log } from '../../runtime/logging/log.js';
import type { Addition } from '../../runtime/service/service.js';
import { Supervisor } from '../supervisor/supervisor.js';
import { type ReactingApplication, type ReactionsOptions, ServiceReactions } from './service-reactions.js';

/**
 * Runs reactions, processes, schedules and timers on this host: it shares their partitions with the other hosts of the
 * store.
 */
export const addReactions =
  (application: ReactingApplication, options: ReactionsOptions): Addition =>
  (parts) => {
    const child = new ServiceReactions(parts, application, options);
    const supervisor = new Supervisor();
    parts.stops.push(() => supervisor.stop());
    supervisor.start(child).catch((err: unknown) => log.error({ err }, 'the reactions cannot be started'));
  };
