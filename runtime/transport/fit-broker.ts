import { Problem } from '../../contracts/problems.js';
import type { MessageFormat } from '../../contracts/transport.js';
import type { TransportPublishFilter } from '../../contracts/transport-filter.js';
import type { StagedEvent } from '../../contracts/unit-store.js';
import { encodings } from '../envelope/message-format.js';
import { largestBody } from './pack-nats-message.js';

/** Refuses an event before it is stored; `data` is its payload as it would be stored. */
export type MustFit = (event: StagedEvent, data: string) => void;

/** What JSON writes in one character takes at most three bytes in a message. */
const longestUnmeasured = largestBody / 3 - 4_096;

/** Refuses events that the broker would never take: stored, they could only become dead letters. */
export const fitBroker =
  (
    format: MessageFormat,
    filterOf: () => Pick<TransportPublishFilter, 'shouldPublishToTransport'> | undefined,
  ): MustFit =>
  ({ envelope, streamId }, data) => {
    if (data.length <= longestUnmeasured) return;
    if (filterOf()?.shouldPublishToTransport(envelope) === false) return;
    const { length } = encodings[format].encode({
      ...envelope,
      ...standIns,
      streamId,
      payload: JSON.parse(data) as unknown,
    });
    if (length <= largestBody) return;
    throw new Problem('event-too-large', {
      detail: `${envelope.messageType} has ${length} bytes as a message; at most ${largestBody} are allowed.`,
    });
  };

/** What the store adds to an event, at its longest. */
const standIns = {
  streamPosition: Number.MAX_SAFE_INTEGER,
  globalPosition: Number.MAX_SAFE_INTEGER,
  occurredAt: new Date(0).toISOString(),
  recordedAt: new Date(0).toISOString(),
  store: '00000000-0000-0000-0000-000000000000',
};
