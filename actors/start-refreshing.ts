import type { NotificationSource } from '../runtime/database/notifications.js';
import type { HostLeases } from '../runtime/leases/host-leases.js';
import { log } from '../runtime/logging/log.js';
import type { Running } from './supervisor/child.js';

interface Refreshed {
  /** For the log. */
  readonly name: string;
  /** Notified when it has changed. */
  readonly channel: 'svc_access' | 'svc_flags' | 'svc_subjects';
  /** The longest time between two looks. */
  readonly everyMs: number;
  /** The version of the copy: it is refreshed when the answer about leases has another one. */
  readonly version?: () => string | undefined;
  refresh(): Promise<void>;
}

interface RefreshPorts {
  readonly notifications: NotificationSource;
  readonly leases: Pick<HostLeases, 'watch'>;
}

/** Keeps a copy of what the database holds up to date; one that cannot be refreshed stays in force. */
export function startRefreshing(copy: Refreshed, { notifications, leases }: RefreshPorts): Running {
  let isDue = false;
  let isRunning = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const refresh = async (): Promise<void> => {
    isDue = true;
    if (isRunning) return;
    isRunning = true;
    clearTimeout(timer);
    while (isDue) {
      isDue = false;
      await copy
        .refresh()
        .catch((err: unknown) =>
          log.warn({ err }, `${copy.name} could not be refreshed; the last values stay in use`),
        );
    }
    isRunning = false;
    schedule();
  };
  const schedule = (): void => {
    if (!isStopped) timer = setTimeout(() => void refresh(), copy.everyMs);
  };
  const { version } = copy;
  const unwatch =
    version &&
    leases.watch(({ versions }) => {
      if (versions[copy.channel] !== version()) void refresh();
    });
  const unsubscribe = notifications.subscribe((channel) => {
    if (channel === copy.channel) void refresh();
  });
  schedule();
  return {
    stop: () => {
      isStopped = true;
      isDue = false;
      clearTimeout(timer);
      unsubscribe();
      unwatch?.();
    },
  };
}
