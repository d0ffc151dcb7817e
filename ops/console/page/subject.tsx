import { streamReferenceIn } from '../model/stream-reference.js';
import { linkToStream, offeredPanels } from './navigation.js';

/** What a record is about; an event leads to its stream. */
export function Subject({ text }: { readonly text: string }) {
  const event = streamReferenceIn(text);
  const hasStreams = offeredPanels.value.some(([name]) => name === 'stream');
  if (event === undefined || !hasStreams) return <>{text}</>;
  return <a href={linkToStream(event.streamId, event.position)}>{text}</a>;
}
