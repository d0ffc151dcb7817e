import type { StoredEvent } from '../../contracts/event-store.js';
import type { Event, MessageClass } from '../../contracts/message.js';
import type { Permission } from '../../contracts/permission.js';
import { Problem } from '../../contracts/problems.js';
import type { Json } from '../../contracts/scalars.js';
import { isSystemMessage } from '../../contracts/system-messages.js';

/** An event as customers see it: nothing of it leaves the service but what `of` returns. */
export interface Published<TEvent extends Event = Event> {
  readonly event: MessageClass<TEvent>;
  /** What a webhook asks for, such as `order.paid`. It is a contract: publish another shape under a new type. */
  readonly type: string;
  /** What the owner of a webhook needs, when it is made and at each delivery. */
  readonly permission: Permission;
  /** Undefined: this one is not published. */
  of(event: StoredEvent<TEvent>): Json | undefined;
  /** An ordered webhook gets events of one key in order; by default those of a stream. */
  key?(event: StoredEvent<TEvent>): string;
}

/** A type that is sent on request. */
export const testType = 'webhook.test';
const typeForm = /^[a-z0-9][a-z0-9._-]{0,99}$/;

/**
 * Publishes an event to webhooks.
 *
 * @example
 * ```ts
 * published(OrderPaid, { type: 'order.paid', permission: Permission.read('orders'),
 *   of: ({ payload: { orderId, total } }) => ({ orderId, total }) })
 * ```
 */
export function published<TEvent extends Event>(
  event: MessageClass<TEvent>,
  init: Omit<Published<TEvent>, 'event'>,
): Published<TEvent> {
  if (isSystemMessage(event)) throw invalid(`${event.name} is a system event; publish events of your domain`);
  if (!typeForm.test(init.type) || init.type.startsWith('webhook.'))
    throw invalid(
      `The type '${init.type.slice(0, 40)}' must have up to 100 of the characters a-z 0-9 . _ - and not begin with webhook.`,
    );
  return { event, ...init };
}

const invalid = (detail: string): Problem => new Problem('invalid-setup', { detail });
