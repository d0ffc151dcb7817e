import { AuditEvent } from '../audit.js';
import { listOf } from '../composite-fields.js';
import { bool, duration, int, nullable, oneOf, optional, text, timestamp, uuid } from '../fields.js';
import { Event } from '../message.js';
import { RebuildMode } from '../perspective.js';
import { record } from '../record-class.js';

const unaudited = AuditEvent({ exclude: true, reason: 'Work on a perspective changes no domain data.' });
const mode = oneOf<RebuildMode>(RebuildMode);

/** The rebuild of a perspective from the log has started. */
@unaudited
export class PerspectiveRebuildStarted extends record(Event, {
  streamId: uuid,
  perspectiveName: text,
  mode,
  totalStreams: int,
  startedAt: timestamp,
}) {}

/** The progress of a rebuild. */
@unaudited
export class PerspectiveRebuildProgress extends record(Event, {
  streamId: uuid,
  perspectiveName: text,
  mode,
  processedStreams: int,
  totalStreams: int,
  eventsReplayed: int,
  startedAt: timestamp,
}) {}

/** A perspective was rebuilt; its new rows are live. */
@unaudited
export class PerspectiveRebuildCompleted extends record(Event, {
  streamId: uuid,
  perspectiveName: text,
  mode,
  streamsProcessed: int,
  eventsReplayed: int,
  duration,
  /** The new rows went live although some rows that readers had could not be folded again. */
  forced: optional(bool),
  /** How many rows could not be folded; they are parked. */
  rowsParked: optional(int),
}) {}

/** The rebuild of a perspective has failed. */
@unaudited
export class PerspectiveRebuildFailed extends record(Event, {
  streamId: uuid,
  perspectiveName: text,
  mode,
  error: text,
  streamsProcessedBeforeFailure: int,
  duration,
}) {}

/** A late event made this perspective replay its stream from the nearest snapshot. */
@unaudited
export class PerspectiveRewindStarted extends record(Event, {
  streamId: uuid,
  perspectiveName: text,
  triggeringEventId: uuid,
  replayFromSnapshotEventId: nullable(uuid),
  hasSnapshot: bool,
  startedAt: timestamp,
}) {}

/** This perspective has replayed its stream in order. */
@unaudited
export class PerspectiveRewindCompleted extends record(Event, {
  streamId: uuid,
  perspectiveName: text,
  triggeringEventId: uuid,
  finalEventId: uuid,
  eventsReplayed: int,
  startedAt: timestamp,
  completedAt: timestamp,
}) {}

/** Emitted once per stream, before the rewinds of its perspectives. */
@unaudited
export class StreamRewindStarted extends record(Event, {
  streamId: uuid,
  perspectiveNames: listOf(text),
  triggerEventId: uuid,
  startedAt: timestamp,
}) {}

/** Emitted once per stream, after the rewinds of its perspectives. */
@unaudited
export class StreamRewindCompleted extends record(Event, {
  streamId: uuid,
  perspectiveNames: listOf(text),
  totalEventsReplayed: int,
  startedAt: timestamp,
  completedAt: timestamp,
}) {}
