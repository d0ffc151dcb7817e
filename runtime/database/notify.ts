import type { Database } from './database.js';

/**
 * `svc`: the log has grown, or a dead letter is to be replayed. `svc_lease`: a lease was released, or parked work is to be
 * tried again. `svc_access`: roles or API keys have changed. `svc_flags`: a feature flag has changed. `svc_subjects`: a
 * subject was forgotten.
 */
export const channels = ['svc', 'svc_lease', 'svc_access', 'svc_flags', 'svc_subjects'] as const;
export type Channel = (typeof channels)[number];

/** The payload of `svc` for a commit that set no timer. */
export const eventsAlone = 'events';

/**
 * Wakes listeners to what is committed. It is sent after that commit: a transaction that notifies takes a lock which all
 * databases of the server share, until its commit is on disk. A listener that misses it finds the change when it polls.
 */
export async function notify(database: Pick<Database, 'rows'>, ...woken: readonly Channel[]): Promise<void> {
  const text = woken.map((channel) => `NOTIFY ${channel}`).join('; ');
  await database.rows({ text }).catch(() => undefined);
}
