import type { StoredEvent } from '../../contracts/event-store.js';
import { Problem } from '../../contracts/problems.js';
import { sealedPrefix } from '../../contracts/redaction.js';
import type { Published } from './published.js';

const maxBytes = 48 * 1_024;

/** The JSON that is delivered; undefined: the event is not published. */
export function mappedBody(published: Published, event: StoredEvent): string | undefined {
  const data = published.of({ ...event, payload: withoutSealed(event) as never });
  if (data === undefined) return undefined;
  const body = JSON.stringify({ type: published.type, timestamp: event.occurredAt, data }, hideSealed);
  if (Buffer.byteLength(body) <= maxBytes) return body;
  throw new Problem('effect-invalid', {
    detail: `What is published of ${event.messageType} may have ${maxBytes} bytes; publish ids of what is bigger.`,
  });
}

/** The values of subjects never leave: a replay reads them as plain text, a reaction gets them sealed. */
function withoutSealed({ payload, sealed = [] }: StoredEvent): unknown {
  if (sealed.length === 0) return payload;
  const hidden = sealed.map((path) => [path.split(/[./[]/, 1)[0] ?? path, null] as const);
  return { ...(payload as object), ...Object.fromEntries(hidden) };
}

const hideSealed = (_: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith(sealedPrefix) ? null : value;
