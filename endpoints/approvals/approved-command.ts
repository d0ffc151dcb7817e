import { hash } from 'node:crypto';
import type { ApprovalRule } from '../../contracts/agent-tool.js';
import { isObject } from '../../contracts/codec-scalars.js';
import { isEventOf, type StoredEvent } from '../../contracts/event-store.js';
import type { Identity } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import type { UnitOfWork } from '../../contracts/receptor.js';
import type { PerspectiveScope } from '../../contracts/perspective-scope.js';
import type { Json, Long, Uuid } from '../../contracts/scalars.js';
import type { EndpointRegistration } from '../registrations.js';
import { ApprovalAsked, ApprovalDecided, ApprovalEnded, type Asker } from './approval-messages.js';

/** A command that needs the agreement of a person when an agent sends it. */
export interface ApprovedCommand {
  readonly registration: EndpointRegistration;
  readonly rule: ApprovalRule;
}

/** Equal arguments have one text, in whatever order they are written. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );

/** Of everything that a person agrees to. */
export const fingerprintOf = (command: string, args: Json, { scope }: Pick<Asker, 'scope'>): string =>
  hash('sha256', canonical([command, args, scope]));

/** The user who asks, or the API key. */
export const askerName = (scope: PerspectiveScope | undefined): string | undefined =>
  scope?.userId ?? scope?.extensions['apiKey'];

/** Whether a caller is the person or the program who asked. */
export function isSame(asker: PerspectiveScope, { scope }: Identity): boolean {
  const { userId, extensions } = asker;
  const { apiKey } = extensions;
  const hasSameUser = userId !== undefined && userId === scope.userId;
  return hasSameUser || (apiKey !== undefined && apiKey === scope.extensions['apiKey']);
}

/** The events of one approval. */
export interface ApprovalHistory {
  readonly asked: StoredEvent<ApprovalAsked>;
  readonly decided?: ApprovalDecided;
  readonly hasEnded: boolean;
  /** Of its last event. */
  readonly position: Long;
}

/** What has happened to an approval; that of another tenant does not exist. */
export async function historyOf(approvalId: Uuid, work: UnitOfWork): Promise<ApprovalHistory> {
  let asked: StoredEvent<ApprovalAsked> | undefined;
  let decided: ApprovalDecided | undefined;
  let hasEnded = false;
  let position = 0;
  for await (const event of work.read(approvalId)) {
    position = event.streamPosition;
    if (isEventOf(event, ApprovalAsked)) asked = event;
    else if (isEventOf(event, ApprovalDecided)) decided = event.payload;
    else if (isEventOf(event, ApprovalEnded)) hasEnded = true;
  }
  if (asked === undefined || asked.payload.asker.scope.tenantId !== work.context.scope.tenantId)
    throw new Problem('not-found', { detail: 'There is no such approval.' });
  return { asked, hasEnded, position, ...(decided === undefined ? {} : { decided }) };
}
