import { Problem } from '../../contracts/problems.js';
import { isUuid, type Long, type Uuid } from '../../contracts/scalars.js';
import { planRelease, releaseAll } from '../stuck/release-all.js';
import { operatorActed, type OperatorCall, recordToStore } from '../store/operator-action.js';
import { readReservationSecret, reservationKey } from '../reservations/reservation-key.js';
import { notify } from '../database/notify.js';

/** Lets all parked keys of a reaction or process, or one of them, be tried again at once; returns how many. */
export const releaseKeys = async (call: OperatorCall, name: string, key?: string): Promise<number> => {
  mustBeStorable('reactions release', [name]);
  if (key === undefined) return releaseAll(call, await planRelease(call.database, name));
  const target = `${name} ${key}`;
  return operate(call, { action: 'reactions release', target, does: ['release-keys', name, key] });
};

/** The event that parked a key. */
interface ParkedEvent {
  readonly name: string;
  readonly key: string;
  /** As the operator has seen it: an event that the key reached since is not given up. */
  readonly position: Long;
}

/** Gives up one event of a parked key of a reaction or process; false: the key is not parked at it. */
export const skipKey = async (call: OperatorCall, { name, key, position }: ParkedEvent): Promise<boolean> =>
  (await operate(call, {
    action: 'reactions skip',
    target: `${name} ${key} at ${position}`,
    does: ['skip-key', name, key, String(position)],
  })) > 0;

/** Lets a parked process try again what stopped it; false: it is not parked. */
export const retryProcess = async (call: OperatorCall, name: string, key: string): Promise<boolean> =>
  (await operate(call, {
    action: 'processes retry',
    target: `${name} ${key}`,
    does: ['retry-process', name, key],
  })) > 0;

export type Adoption = 'adopted' | 'unknown' | 'running' | 'has-progress';

const adoptions: Readonly<Record<string, Adoption>> = {
  '0': 'unknown',
  '-1': 'running',
  '-2': 'has-progress',
};

/**
 * Hands the cursors and the keys aside of a renamed reaction over to its new name. With `force` also while a host runs the
 * old one, which then stops, and if the new one has handled events since, which it then handles again.
 */
export const adoptReaction = async (
  call: OperatorCall,
  { from, to, force = false }: { readonly from: string; readonly to: string; readonly force?: boolean },
): Promise<Adoption> => {
  const moved = await operate(call, {
    action: 'reactions adopt',
    target: `${from} ${to}`,
    does: ['adopt-reaction', from, to, String(force)],
  });
  return adoptions[moved] ?? 'adopted';
};

/** Removes a timer, so that it never fires; false: there is none, or it has fired. */
export const cancelTimer = (call: OperatorCall, id: Uuid): Promise<boolean> =>
  actOnTimer(call, 'timers cancel', 'cancel-timer', id);

/** Makes a timer due at once, parked or not; false: there is none, or it has fired. */
export const runTimerNow = (call: OperatorCall, id: Uuid): Promise<boolean> =>
  actOnTimer(call, 'timers run-now', 'run-timer', id);

const actOnTimer = async (call: OperatorCall, action: string, does: string, id: Uuid): Promise<boolean> =>
  isUuid(id) && (await operate(call, { action, target: id.toLowerCase(), does: [does, id] })) > 0;

/** Frees a reserved name, no matter who owns it; false: nobody does. The record names its digest: a value may be personal. */
export async function releaseReservation(
  call: OperatorCall,
  {
    name,
    value,
    tenant,
  }: { readonly name: string; readonly value: string; readonly tenant?: string | undefined },
): Promise<boolean> {
  const key = reservationKey(await readReservationSecret(call.database))(tenant, name, value);
  const target = `${name} ${key}`;
  return (
    (await operate(call, { action: 'reservations release', target, does: ['release-reservation', key] })) > 0
  );
}

interface Act {
  /** As on the command line. */
  readonly action: string;
  readonly target: string;
  /** The name and the arguments for svc_operate. */
  readonly does: readonly [name: string, ...args: string[]];
}

/** Carries out what an operator does, and records it. */
export async function operate(
  call: OperatorCall,
  { action, target, does: [name, ...args] }: Act,
): Promise<number> {
  mustBeStorable(action, [target, ...args]);
  const { parameters, stored } = recordToStore(call, operatorActed(call, action, target));
  const [[count] = []] = await call.database.rows({
    text: 'SELECT svc_operate($1, $2, $3, $4, $5, $6, $7, $8)',
    values: [name, args, call.operator.host, ...parameters],
  });
  if (Number(count) > 0) {
    stored();
    // Runners look for released keys when leases change, and for timers and processes when the log grows.
    await notify(call.database, 'svc', 'svc_lease');
  }
  return Number(count);
}

function mustBeStorable(action: string, texts: readonly string[]): void {
  if (!texts.some((text) => text.includes('\0'))) return;
  throw new Problem('invalid-query', { detail: `The input of ${action} must not contain U+0000.` });
}
