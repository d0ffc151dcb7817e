import { type EventObject, fromCallback } from 'xstate';
import { log } from '../../runtime/log.js';
import type { PerspectiveLeases, PerspectiveLease } from '../../runtime/perspectives/perspective-leases.js';
import { acquireRetryDelayMs } from '../lease/lease.js';

export interface LeaseSettings {
  readonly leaseMs: number;
  /** How often one query renews all leases of the host; well before they expire. */
  readonly renewMs: number;
}

/** Another host takes over within `leaseMs` of a host's death. */
export const leaseDefaults: LeaseSettings = { leaseMs: 4_000, renewMs: 3_300 };

export interface LeaseInput extends LeaseSettings {
  readonly rows: PerspectiveLeases;
  readonly tables: () => readonly string[];
  readonly onRenewed: (leases: readonly PerspectiveLease[]) => void;
  readonly onFailed: (error: unknown) => void;
}

/** `ask`: a lease may be free, or something is to be repaired. */
type LeaseEvent = { readonly type: 'ask' };

/**
 * Renews the leases of all perspectives of a host with one query per interval; queries at once when a lease may be
 * free.
 */
export const holdPerspectiveLeases = fromCallback<LeaseEvent & EventObject, LeaseInput>(
  ({ input, receive }) => {
    let stopped = false;
    let asking = false;
    let again = false;
    // Offset by half an interval from the host's other leases: together they show often enough that the store answers.
    let share = 0.5;
    let timer: NodeJS.Timeout | undefined;
    const renew = async (): Promise<void> => {
      if (asking) {
        again = true;
        return;
      }
      asking = true;
      again = false;
      clearTimeout(timer);
      const waitMs = share * (await renewLeases(input, () => stopped));
      share = 1;
      asking = false;
      if (!stopped) timer = setTimeout(() => void renew(), again ? 0 : waitMs);
    };
    receive(() => void renew());
    void renew();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  },
);

/** Returns when to renew again. */
async function renewLeases(
  { rows, tables, leaseMs, renewMs, onRenewed, onFailed }: LeaseInput,
  isStopped: () => boolean,
): Promise<number> {
  const names = tables();
  if (names.length === 0) return renewMs;
  try {
    const leases = await rows.acquireLeases(names, leaseMs);
    if (!isStopped()) onRenewed(leases);
    const free = leases
      .filter(({ held }) => !held)
      .map(({ remainingMs }) => acquireRetryDelayMs(remainingMs, leaseMs));
    return Math.min(renewMs, ...free);
  } catch (err) {
    onFailed(err);
    log.warn({ err }, 'the leases of the perspectives could not be renewed');
    return renewMs / 2;
  }
}
