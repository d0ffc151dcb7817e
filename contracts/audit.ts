import type { MessageClass } from './message.js';

/** The destination of queued audit envelopes. */
export const AuditTopic = 'svc.core.auditevents';

/** Which events are audited: all but the excluded ones, or only the marked ones. */
export const AuditMode = Object.freeze({ OptOut: 'OptOut', OptIn: 'OptIn' } as const);
export type AuditMode = (typeof AuditMode)[keyof typeof AuditMode];

/**
 * How important an audited message is.
 *
 * @example
 * ```ts
 * service.onSystemEvent('EventAudited', ({ auditLevel }) =>
 *   auditLevel === AuditLevel.Critical ? alert() : undefined);
 * ```
 */
export const AuditLevel = Object.freeze({ Info: 'Info', Warning: 'Warning', Critical: 'Critical' } as const);
export type AuditLevel = (typeof AuditLevel)[keyof typeof AuditLevel];

export interface AuditEventInit {
  readonly exclude?: boolean;
  readonly reason?: string;
  readonly level?: AuditLevel;
}

/** The settings that `@AuditEvent` gives to a message class. */
export interface AuditMark {
  readonly exclude: boolean;
  readonly reason: string | undefined;
  readonly level: AuditLevel;
}

/**
 * Marks a message class for auditing; `exclude: true` keeps it out.
 *
 * @example
 * ```ts
 * @AuditEvent({ reason: 'money', level: AuditLevel.Warning })
 * export class MoneyMoved extends Event { amount!: Decimal; }
 * ```
 */
export function AuditEvent(init: AuditEventInit = {}): (type: MessageClass) => void {
  const mark: AuditMark = {
    exclude: init.exclude ?? false,
    reason: init.reason,
    level: init.level ?? AuditLevel.Info,
  };
  return (type) => void marks.set(type, mark);
}

/** The mark of the class, or else of the nearest class that it extends. */
export function auditMarkOf(type: MessageClass): AuditMark | undefined {
  for (let at: object | null = type; at !== null; at = Object.getPrototypeOf(at)) {
    const mark = marks.get(at);
    if (mark !== undefined) return mark;
  }
  return undefined;
}

const marks = new WeakMap<object, AuditMark>();
