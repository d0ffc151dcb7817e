import { AuditEvent } from '../audit.js';
import { group, listOf } from '../composite-fields.js';
import { duration, int, nullable, oneOf, text, uuid, type RequiredField } from '../fields.js';
import { Event } from '../message.js';
import {
  MigrationFailureReason,
  MigrationStatus,
  MigrationStrategy,
  type MigrationBatchItemResult,
} from '../migration.js';
import { record } from '../record-class.js';

const unaudited = AuditEvent({ exclude: true, reason: 'Migrations are recorded in their own ledger.' });
const status = oneOf<MigrationStatus>(MigrationStatus);

const itemResult: RequiredField<MigrationBatchItemResult> = group({
  migrationKey: text,
  status,
  statusDescription: text,
});

/** One migration of a batch has started. */
@unaudited
export class MigrationItemStarted extends record(Event, {
  streamId: uuid,
  migrationKey: text,
  strategy: oneOf<MigrationStrategy>(MigrationStrategy),
  oldHash: nullable(text),
  newHash: text,
}) {}

/** One migration of a batch was applied, updated or skipped. */
@unaudited
export class MigrationItemCompleted extends record(Event, {
  streamId: uuid,
  migrationKey: text,
  status,
  statusDescription: text,
  duration,
}) {}

/** One migration of a batch has failed. */
@unaudited
export class MigrationItemFailed extends record(Event, {
  streamId: uuid,
  migrationKey: text,
  status,
  failureReason: oneOf<MigrationFailureReason>(MigrationFailureReason),
  error: text,
  duration,
}) {}

/** A host started to bring its database up to date. */
@unaudited
export class MigrationBatchStarted extends record(Event, {
  streamId: uuid,
  libraryVersion: text,
  totalMigrations: int,
  totalPerspectives: int,
}) {}

/** All migrations of a batch have finished, each with its status. */
@unaudited
export class MigrationBatchCompleted extends record(Event, {
  streamId: uuid,
  libraryVersion: text,
  results: listOf(itemResult),
  applied: int,
  updated: int,
  skipped: int,
  failed: int,
  totalDuration: duration,
}) {}
