import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { newUuid } from '../../../contracts/uuid.js';
import { headerLine } from '../../../runtime/imports/event-file.js';

const streamsAtOnce = 1_000;
const eventsPerStream = 10;

/** A file with the history of many orders, ten events each, of which a thousand are open at a time. */
export const writeHistory = (file: string, events: number): Promise<void> =>
  pipeline(linesOf(events), createWriteStream(file));

function* linesOf(events: number): Generator<string> {
  yield `${headerLine({})}\n`;
  let streams: string[] = [];
  for (let n = 0; n < events; n++) {
    if (n % (streamsAtOnce * eventsPerStream) === 0)
      streams = Array.from({ length: streamsAtOnce }, () => newUuid());
    yield `${JSON.stringify({
      streamId: streams[n % streamsAtOnce],
      eventId: newUuid(),
      eventType: 'OrderPlaced',
      occurredAt: new Date(1_700_000_000_000 + n * 10).toISOString(),
      metadata: {
        correlationId: newUuid(),
        causationId: newUuid(),
        scope: { tenantId: 'north', userId: 'ada' },
      },
      data: { orderId: streams[n % streamsAtOnce], amount: n % 100, note: 'x'.repeat(290) },
    })}\n`;
  }
}
