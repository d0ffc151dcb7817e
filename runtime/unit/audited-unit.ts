import type { AuditContext } from '../../contracts/system-event-emitter.js';
import type { Command } from '../../contracts/message.js';
import type { StagedEvent, StagedRecord } from '../../contracts/unit-store.js';

/** A command whose handler has returned. */
export interface HandledCommand {
  readonly command: Command;
  readonly response: unknown;
  readonly receptorName: string;
  readonly context: AuditContext;
}

/** The subject of an audit in a unit: each staged event, and the command once it is handled. */
export type Auditable = StagedEvent | HandledCommand;

/** Creates the record of an audit; undefined when the subject is not audited. */
export interface Auditor {
  recordOf(subject: Auditable): StagedRecord | undefined;
}

/** A unit of work from the point of view of its command's audit. */
export interface AuditedUnit {
  readonly isOpen: boolean;
  readonly events: readonly StagedEvent[];
  /**
   * Stages the audit to be stored with the rest of the unit. Once the unit is stored, returns the record instead: the
   * caller then stores it separately. Throws `unit-closed` if nothing may follow.
   */
  audit(subject: Auditable, auditor: Auditor): StagedRecord | undefined;
}
