import { Problem } from '../../contracts/problems.js';
import type { Sealing } from '../../contracts/sealing.js';
import { metadataOf } from '../envelope/stored-metadata.js';
import { checkHeader, fileProblem } from './event-file.js';
import { type FileEvent, readEvent } from './read-event.js';
import { readLines } from './read-lines.js';

type Metadata = Parameters<typeof metadataOf>[0];

/** The events of a file as they are stored; with an application, its fields that have a subject are encrypted. */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
  now: number,
  sealing?: Pick<Sealing, 'has' | 'seal'>,
): AsyncGenerator<readonly FileEvent[]> {
  let isBegun = false;
  for await (const lines of readLines(chunks)) {
    if (!isBegun) checkHeader(lines[0]?.text);
    const events = lines.slice(isBegun ? 0 : 1).map((line) => readEvent(line, now));
    isBegun = true;
    yield sealing === undefined ? events : await Promise.all(events.map((event) => sealed(event, sealing)));
  }
  if (!isBegun) checkHeader(undefined);
}

async function sealed(event: FileEvent, sealing: Pick<Sealing, 'has' | 'seal'>): Promise<FileEvent> {
  if (event.isSealed || !sealing.has(event.eventType)) return event;
  const { streamId, eventId: messageId, eventType: messageType, data: payload } = event;
  const plain = { streamId, envelope: { ...event.metadata, messageId, messageType, payload } as never };
  const found = (await sealing.seal([plain]).catch(refusedAt(event.line))).get(plain);
  if (found === undefined) return event;
  const metadata = { ...event.metadata, sealed: found.fields };
  return {
    ...event,
    data: found.payload as FileEvent['data'],
    metadata,
    texts: {
      data: JSON.stringify(found.payload),
      metadata: metadataOf(event.metadata as unknown as Metadata, { sealed: found.fields }),
    },
  };
}

/** An event that does not name the subject of a value. */
const refusedAt =
  (line: number) =>
  (error: unknown): never => {
    if (!(error instanceof Problem) || error.code !== 'invalid-event') throw error;
    throw fileProblem(line, (error.detail ?? error.title).replace(/\.$/, ''));
  };
