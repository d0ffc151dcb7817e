import { type EventObject, fromCallback } from 'xstate';
import type { NotificationSource } from '../../runtime/database/notifications.js';

/** `wake`: the log has grown, or a dead letter is to be replayed. `freed`: a lease was released. */
export type WakeUp = { readonly type: 'wake' } | { readonly type: 'freed' };

export interface WakeUpInput {
  readonly notifications: NotificationSource;
  /** Report only this kind. */
  readonly only?: WakeUp['type'];
}

const typeOf: Readonly<Record<string, WakeUp['type']>> = { svc: 'wake', svc_lease: 'freed' };

/** Reports the store's notifications to its parent; without a connection the parent relies on its poll. */
export const wakeUps = fromCallback<EventObject, WakeUpInput, WakeUp>(({ input, sendBack }) =>
  input.notifications.subscribe((channel) => {
    const type = typeOf[channel];
    if (type !== undefined && (input.only ?? type) === type) sendBack({ type });
  }),
);
