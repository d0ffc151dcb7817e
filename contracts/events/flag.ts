import { AuditEvent } from '../audit.js';
import { generatedId, kind, nullable, optional, text, timestamp } from '../fields.js';
import type { FlagRules } from '../flags.js';
import { SystemEvent } from '../message.js';
import { record } from '../record-class.js';

/** Checks only the top level. */
const rules = kind<FlagRules>(
  'the rules of a flag',
  (value) => typeof (value as FlagRules | null)?.on === 'boolean',
);

/** An operator changed the rules of a feature flag. */
@AuditEvent({ exclude: true, reason: 'A change of a flag is its own record.' })
export class FlagChanged extends record(SystemEvent, {
  id: generatedId,
  name: text,
  /** Null: nobody had changed it before. */
  before: nullable(rules),
  after: rules,
  actor: text,
  reason: optional(text),
  timestamp,
}) {}
