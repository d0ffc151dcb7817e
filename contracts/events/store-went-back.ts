import { AuditEvent } from '../audit.js';
import { generatedId, int, long, text, timestamp, uuid } from '../fields.js';
import { SystemEvent } from '../message.js';
import { record } from '../record-class.js';

/** The database no longer holds what a host had read from it: a failover or a restored backup lost the end of the log. */
@AuditEvent({ exclude: true, reason: 'A loss is its own record.' })
export class StoreWentBack extends record(SystemEvent, {
  id: generatedId,
  /** The epoch that began with it. */
  epoch: int,
  /** The last position that it shares with the one before: events after it are lost. */
  fork: long,
  /** The newest position that a host had seen: events up to here are lost. */
  lostTo: long,
  /** The host that had seen it. */
  witness: text,
  timestamp,
}) {}

/** Another store went back in time, and this one holds events of it that no longer exist there: its messages are held. */
@AuditEvent({ exclude: true, reason: 'A loss is its own record.' })
export class OriginWentBack extends record(SystemEvent, {
  id: generatedId,
  storeId: uuid,
  /** Its current epoch. */
  epoch: int,
  /** The last position that it shares with the one before. */
  fork: long,
  /** The newest position of it that this store has received. */
  heldTo: long,
  timestamp,
}) {}
