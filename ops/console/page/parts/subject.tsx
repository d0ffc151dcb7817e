import { streamReferenceIn } from '../../model/stream-reference.js';
import { isOffered, linkToStream } from './navigation.js';

/** What a record is about; an event leads to its stream. */
export function Subject({ text }: { readonly text: string }) {
  const event = streamReferenceIn(text);
  if (event === undefined || !isOffered('stream')) return <>{text}</>;
  return <a href={linkToStream(event.streamId, event.position)}>{text}</a>;
}
