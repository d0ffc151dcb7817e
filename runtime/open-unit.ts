import type { AuditContext } from '../contracts/emitter.js';
import type { Command } from '../contracts/message.js';
import type { StagedEvent, StagedRecord } from '../contracts/unit.js';

/** A command whose handler has returned. */
export interface HandledCommand {
  readonly command: Command;
  readonly response: unknown;
  readonly receptorName: string;
  readonly context: AuditContext;
}

/** What may be audited in a unit: each event that is staged, and the command once it is handled. */
export type Auditable = StagedEvent | HandledCommand;

/** Makes the record of an audit; nothing where there is none to make. */
export interface Auditor {
  recordOf(subject: Auditable): StagedRecord | undefined;
}

/** A unit of work as the audit of its command sees it. */
export interface OpenUnit {
  readonly isOpen: boolean;
  /**
   * Stages the audit, to be stored with everything else of the unit. Returns it once the unit is stored: what comes
   * after it is stored on its own. Throws `unit-closed` where nothing may follow.
   */
  audit(subject: Auditable, auditor: Auditor): StagedRecord | undefined;
}
