import type { Uuid } from '../../contracts/scalars.js';
import { operate } from '../reactions/operate.js';
import type { OperatorCall } from '../store/operator-action.js';

/** Removes a request: an outcome of a call in flight is not stored. False: there is none, or it has ended. */
export const cancelEffect = async (call: OperatorCall, id: Uuid): Promise<boolean> =>
  (await operate(call, { action: 'effects cancel', target: id, does: ['cancel-effect', id] })) > 0;

/** Makes a parked request due at once, with all its attempts. False: it is not parked. */
export const releaseEffect = async (call: OperatorCall, id: Uuid): Promise<boolean> =>
  (await operate(call, { action: 'effects release', target: id, does: ['release-effect', id] })) > 0;

/** The same for any request that is not in flight. False: it is, or it has ended. */
export const runEffect = async (call: OperatorCall, id: Uuid): Promise<boolean> =>
  (await operate(call, { action: 'effects run-now', target: id, does: ['run-effect', id] })) > 0;

/** No host begins a call of the effect, or of one of its lanes; those in flight end. False: it is paused already. */
export const pauseEffect = async (call: OperatorCall, name: string, lane = '*'): Promise<boolean> =>
  (await operate(call, {
    action: 'effects pause',
    target: targetOf(name, lane),
    does: ['pause-effect', name, lane],
  })) > 0;

export const resumeEffect = async (call: OperatorCall, name: string, lane = '*'): Promise<boolean> =>
  (await operate(call, {
    action: 'effects resume',
    target: targetOf(name, lane),
    does: ['resume-effect', name, lane],
  })) > 0;

const targetOf = (name: string, lane: string): string => (lane === '*' ? name : `${name} ${lane}`);
