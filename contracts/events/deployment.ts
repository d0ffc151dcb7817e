import { AuditEvent } from '../audit.js';
import { generatedId, int, optional, text, timestamp, uuid } from '../fields.js';
import { SystemEvent } from '../message.js';
import { record } from '../record-class.js';

const unaudited = AuditEvent({ exclude: true, reason: 'A deployment is its own record.' });

const fields = {
  id: generatedId,
  deploymentId: uuid,
  service: text,
  /** `canary`, `rolling`, `blue-green` or `recreate`. */
  strategy: text,
  revision: text,
  /** The revision that served before; absent for the first one. */
  previousRevision: optional(text),
  /** Who started the deployment. */
  actor: text,
};

/** A deployment has acquired the deploy lock. */
@unaudited
export class DeploymentStarted extends record(SystemEvent, { ...fields, timestamp }) {}

/** The front sends this share of the requests to the new revision from now on. */
@unaudited
export class DeploymentStageReached extends record(SystemEvent, {
  ...fields,
  /** In percent. */
  toNew: int,
  timestamp,
}) {}

/** The new revision serves all requests. */
@unaudited
export class DeploymentCompleted extends record(SystemEvent, { ...fields, timestamp }) {}

/** The previous revision serves all requests again. */
@unaudited
export class DeploymentReverted extends record(SystemEvent, {
  ...fields,
  /** The share of the new revision when the deployment was reverted, in percent. */
  toNew: int,
  reason: text,
  timestamp,
}) {}
