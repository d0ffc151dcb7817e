import type { Uuid } from '../../contracts/scalars.js';
import { operate } from '../reactions/operate.js';
import type { OperatorCall } from '../store/operator-action.js';

/**
 * `cancel`: an outcome of a call in flight is not stored. `release` makes a parked request due at once, with all its attempts;
 * `run` does that to any that is not in flight.
 */
type RequestAction = 'cancel' | 'release' | 'run';

/** False: it has ended, or is not in a state for that. */
export const actOnRequest = async (call: OperatorCall, action: RequestAction, id: Uuid): Promise<boolean> => {
  const verb = action === 'run' ? 'run-now' : action;
  return (await operate(call, { action: `effects ${verb}`, target: id, does: [`${action}-effect`, id] })) > 0;
};

/** While it is paused, no host begins a call of the effect, or of one of its lanes; false: that changes nothing. */
export const actOnEffect = async (
  call: OperatorCall,
  action: 'pause' | 'resume',
  name: string,
  lane?: string,
): Promise<boolean> => {
  const target = lane === undefined ? name : `${name} ${lane}`;
  const does = [`${action}-effect`, name, lane ?? '*'] as const;
  return (await operate(call, { action: `effects ${action}`, target, does })) > 0;
};
