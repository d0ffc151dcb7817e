import { Problem } from '../../contracts/problems.js';
import type { Sealing } from '../../contracts/sealing.js';
import { checkHeader, fileProblem } from './event-file.js';
import { type FileEvent, metadataText, readEvent, readLine, storable } from './read-event.js';
import { type Line, readLines } from './read-lines.js';

type Seal = Pick<Sealing, 'has' | 'seal'>;

/** The events of a file as they are stored; with an application, its fields that have a subject are encrypted. */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
  now: number,
  sealing?: Seal,
): AsyncGenerator<readonly FileEvent[]> {
  let isBegun = false;
  for await (const lines of readLines(chunks)) {
    if (!isBegun) checkHeader(lines[0]?.text);
    const events = isBegun ? lines : lines.slice(1);
    isBegun = true;
    yield sealing === undefined
      ? events.map((line) => readEvent(line, now))
      : await Promise.all(events.map((line) => readSealed(line, now, sealing)));
  }
  if (!isBegun) checkHeader(undefined);
}

async function readSealed(line: Line, now: number, sealing: Seal): Promise<FileEvent> {
  const { event, body } = readLine(line, now);
  if (event.isSealed || !sealing.has(event.eventType)) return storable(event);
  const { streamId, eventId: messageId, eventType: messageType } = event;
  const plain = { streamId, envelope: { messageId, messageType, payload: body.data } as never };
  const sealed = (await sealing.seal([plain]).catch(refusedAt(event.line))).get(plain);
  if (sealed === undefined) return storable(event);
  const metadata = metadataText({ ...body.metadata, sealed: sealed.fields });
  return storable({ ...event, metadata, data: JSON.stringify(sealed.payload) });
}

/** An event that does not name the subject of a value. */
const refusedAt =
  (line: number) =>
  (error: unknown): never => {
    if (!(error instanceof Problem) || error.code !== 'invalid-event') throw error;
    throw fileProblem(line, (error.detail ?? error.title).replace(/\.$/, ''));
  };
