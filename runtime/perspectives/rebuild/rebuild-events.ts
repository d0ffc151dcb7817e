import { MigrationItemCompleted } from '../../../contracts/events/migration.js';
import {
  PerspectiveRebuildCompleted,
  PerspectiveRebuildFailed,
  PerspectiveRebuildProgress,
  PerspectiveRebuildStarted,
} from '../../../contracts/events/perspective.js';
import { MigrationStatus } from '../../../contracts/migration.js';
import { durationOf, type Uuid } from '../../../contracts/scalars.js';
import { namedUuid } from '../../lang/named-uuid.js';
import type { RebuildRecord } from './rebuild-record.js';
import type { IdempotentMessage } from '../rewind/rewind-events.js';

/** The reported progress. */
interface RebuildFigures {
  readonly streams: number;
  readonly totalStreams: number;
  readonly events: number;
}

const shared = ({ id, name, mode }: RebuildRecord) => ({ streamId: id, perspectiveName: name, mode });

export const startedIdOf = ({ id }: Pick<RebuildRecord, 'id'>): Uuid =>
  namedUuid('PerspectiveRebuildStarted', id);

export const rebuildStarted = (record: RebuildRecord, totalStreams: number): IdempotentMessage => ({
  id: startedIdOf(record),
  message: new PerspectiveRebuildStarted({ ...shared(record), totalStreams, startedAt: record.startedAt }),
});

/** Reported again with the same counts, it is another message. */
export const rebuildProgress = (
  record: RebuildRecord,
  { streams, totalStreams, events }: RebuildFigures,
  times = 1,
): IdempotentMessage => ({
  id: namedUuid('PerspectiveRebuildProgress', record.id, `${events}`, `${times}`),
  message: new PerspectiveRebuildProgress({
    ...shared(record),
    processedStreams: streams,
    totalStreams,
    eventsReplayed: events,
    startedAt: record.startedAt,
  }),
});

export const rebuildCompleted = (
  record: RebuildRecord,
  { streams, events, lostRows }: Pick<RebuildFigures, 'streams' | 'events'> & { readonly lostRows: number },
  now: number,
): IdempotentMessage => ({
  id: namedUuid('PerspectiveRebuildCompleted', record.id),
  message: new PerspectiveRebuildCompleted({
    ...shared(record),
    streamsProcessed: streams,
    eventsReplayed: events,
    duration: durationSince(record, now),
    ...(lostRows === 0 ? {} : { forced: true, rowsParked: lostRows }),
  }),
});

export const rebuildFailed = (
  record: RebuildRecord,
  error: string,
  streams: number,
  now: number,
): IdempotentMessage => ({
  id: namedUuid('PerspectiveRebuildFailed', record.id),
  message: new PerspectiveRebuildFailed({
    ...shared(record),
    error,
    streamsProcessedBeforeFailure: streams,
    duration: durationSince(record, now),
  }),
});

/** The migration that requested the rebuild had failed before. */
export const migrated = (
  record: RebuildRecord,
  statusDescription: string,
  now: number,
): IdempotentMessage => ({
  id: namedUuid('MigrationItemCompleted', record.id),
  message: new MigrationItemCompleted({
    streamId: record.id,
    migrationKey: `perspective/${record.name}`,
    status: MigrationStatus.Updated,
    statusDescription,
    duration: durationSince(record, now),
  }),
});

const durationSince = ({ startedAt }: RebuildRecord, now: number): string =>
  durationOf(Math.max(0, now - Date.parse(startedAt)));
