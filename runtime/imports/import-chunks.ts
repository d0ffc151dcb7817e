import type { FileEvent } from './read-event.js';

/** An EventsImported covers at most this many events. */
const chunkEvents = 10_000;
/** Large events: fewer of them. */
const chunkBytes = 8 * 1024 * 1024;

/** Events in the chunks in which they are imported. */
export async function* importChunks(
  groups: AsyncIterable<readonly FileEvent[]>,
): AsyncGenerator<readonly FileEvent[]> {
  let chunk: FileEvent[] = [];
  let bytes = 0;
  for await (const group of groups)
    for (const event of group) {
      if (chunk.length > 0 && (chunk.length >= chunkEvents || bytes + event.bytes > chunkBytes)) {
        yield chunk;
        [chunk, bytes] = [[], 0];
      }
      chunk.push(event);
      bytes += event.bytes;
    }
  if (chunk.length > 0) yield chunk;
}
