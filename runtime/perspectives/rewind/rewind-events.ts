import {
  PerspectiveRewindCompleted,
  PerspectiveRewindStarted,
  StreamRewindCompleted,
  StreamRewindStarted,
} from '../../../contracts/events/perspective.js';
import type { SystemMessage } from '../../../contracts/system-messages.js';
import type { Uuid } from '../../../contracts/scalars.js';
import { namedUuid } from '../../lang/named-uuid.js';
import type { Replay } from '../fold/write-batch.js';
import type {
  CompletedRewind,
  StoredSnapshot,
  StreamRewind,
  UnreportedReplay,
} from '../perspective-store.js';
import type { PerspectiveTable } from '../tables/perspective-table.js';

/** A message with an id derived from its content, so that it is stored once, however many hosts report it. */
export interface IdempotentMessage {
  readonly id: Uuid;
  readonly message: SystemMessage;
}

export const streamRewindStarted = ({
  streamId,
  rewind,
  names,
  triggerEventId,
  startedAt,
}: StreamRewind): IdempotentMessage => ({
  id: namedUuid('StreamRewindStarted', streamId, `${rewind}`),
  message: new StreamRewindStarted({ streamId, perspectiveNames: [...names], triggerEventId, startedAt }),
});

export const streamRewindCompleted = (done: CompletedRewind): IdempotentMessage => ({
  id: namedUuid('StreamRewindCompleted', done.streamId, `${done.rewind}`),
  message: new StreamRewindCompleted({
    streamId: done.streamId,
    perspectiveNames: [...done.names],
    totalEventsReplayed: done.replayed,
    startedAt: done.startedAt,
    completedAt: done.completedAt,
  }),
});

export const perspectiveRewindStarted = (
  table: PerspectiveTable,
  streamId: Uuid,
  { rewind, fromPosition, triggerEventId, startedAt }: Omit<Replay, 'finalEventId' | 'replayed'>,
  snapshot: StoredSnapshot | undefined,
): IdempotentMessage => ({
  id: namedUuid('PerspectiveRewindStarted', streamId, `${rewind}`, table.table, `${fromPosition}`),
  message: new PerspectiveRewindStarted({
    streamId,
    perspectiveName: table.name,
    triggeringEventId: triggerEventId,
    replayFromSnapshotEventId: snapshot?.eventId ?? null,
    hasSnapshot: snapshot !== undefined,
    startedAt,
  }),
});

export const perspectiveRewindCompleted = (
  table: PerspectiveTable,
  replay: UnreportedReplay,
): IdempotentMessage => ({
  id: namedUuid(
    'PerspectiveRewindCompleted',
    replay.streamId,
    `${replay.rewind}`,
    table.table,
    `${replay.fromPosition}`,
  ),
  message: new PerspectiveRewindCompleted({
    streamId: replay.streamId,
    perspectiveName: table.name,
    triggeringEventId: replay.triggerEventId,
    finalEventId: replay.finalEventId,
    eventsReplayed: replay.replayed,
    startedAt: replay.startedAt,
    completedAt: replay.completedAt,
  }),
});
