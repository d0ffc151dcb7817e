import { isEventOf, type StoredEvent } from '../../contracts/event-store.js';
import { type Identity, isPermitted, type RequiredPermission } from '../../contracts/identity.js';
import type { Perspective } from '../../contracts/perspective.js';
import type { Json, Timestamp, Uuid } from '../../contracts/scalars.js';
import { callersRows, type CallersRows } from '../queries/row-access.js';
import { type ApprovedCommand, askerName } from './approved-command.js';
import { ApprovalAsked, ApprovalDecided, ApprovalEnded } from './approval-messages.js';

/** What an agent has asked for, and what has become of it. */
export interface Approval {
  readonly approvalId: Uuid;
  readonly command: string;
  readonly arguments: Json;
  readonly fingerprint: string;
  readonly status: 'asked' | 'agreed' | 'refused' | 'done' | 'failed' | 'expired';
  /** The user, or the API key. */
  readonly askedBy: string;
  readonly agent: string;
  readonly askedAt: Timestamp;
  readonly expiresAt: Timestamp;
  readonly decidedBy?: string;
  readonly decidedAt?: Timestamp;
  readonly note?: string;
  readonly result?: Json;
  readonly problem?: { readonly code: string; readonly title: string };
}

/** What people are asked to agree to. Each sees what they may decide. */
export class ApprovalsPerspective implements Perspective<Approval> {
  readonly name = 'svc-approvals';
  readonly route = '/approvals';
  readonly events = [ApprovalAsked, ApprovalDecided, ApprovalEnded];
  readonly newestFirst = true;
  readonly columns = {
    status: 'text',
    command: 'text',
    askedBy: 'text',
    askedAt: 'timestamptz',
    expiresAt: 'timestamptz',
  } as const;
  readonly [callersRows]: CallersRows;

  constructor(
    readonly permission: RequiredPermission,
    commands: ReadonlyMap<string, ApprovedCommand>,
  ) {
    const decidedBy = (caller: Identity): readonly string[] =>
      [...commands].flatMap(([name, { rule }]) => (isPermitted(caller, rule.by) ? [name] : []));
    this[callersRows] = {
      column: 'command',
      of: (caller) => (caller === undefined ? [] : decidedBy(caller)),
    };
  }

  apply(row: Approval | undefined, event: StoredEvent): Approval | null {
    return approvalAfter(row, event) ?? null;
  }
}

export function approvalAfter(row: Approval | undefined, event: StoredEvent): Approval | undefined {
  if (isEventOf(event, ApprovalAsked)) {
    const { asker, withinMs: _, ...asked } = event.payload;
    const askedBy = askerName(asker.scope) ?? '';
    return { ...asked, askedBy, status: 'asked', askedAt: event.recordedAt };
  }
  if (row === undefined) return undefined;
  if (isEventOf(event, ApprovalDecided)) {
    const { by: decidedBy, agree, note } = event.payload;
    const decided = { decidedBy, decidedAt: event.recordedAt, ...(note === undefined ? {} : { note }) };
    return { ...row, ...decided, status: agree ? 'agreed' : 'refused' };
  }
  if (!isEventOf(event, ApprovalEnded)) return row;
  const { approvalId: _, outcome: status, ...ended } = event.payload;
  return { ...row, ...ended, status };
}
