import { Problem } from '../../contracts/problems.js';
import { faultsOf } from '../../contracts/record-class.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { StagedEvent, StagedRecord } from '../../contracts/unit-store.js';
import { type Origin, systemEnvelope } from '../envelope/system-envelope.js';
import type { AuditPolicy } from './audit-policy.js';

/** A system message ready for its commit; an invalid one is rejected before anything is stored. */
export function systemRecord(message: SystemMessage, origin: Origin, policy: AuditPolicy): StagedRecord {
  mustBeValid(message);
  return uncheckedRecord(message, origin, policy);
}

/** Skips validation: for messages that the runtime built from validated parts. */
export const uncheckedRecord = (
  message: SystemMessage,
  origin: Origin,
  policy: AuditPolicy,
  of?: StagedEvent,
): StagedRecord => ({
  envelope: systemEnvelope(message, origin),
  of,
  publish: policy.mayPublish(message),
});

export function mustBeValid(message: object): void {
  const errors = faultsOf(message);
  if (errors.length === 0) return;
  const reasons = errors.map(({ path, message: fault }) => `${path} ${fault}`).join('; ');
  throw new Problem('invalid-system-event', { detail: `${message.constructor.name}: ${reasons}.`, errors });
}
