import type { IncomingHttpHeaders } from 'node:http';
import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';

export interface Correlation {
  readonly messageId: Uuid;
  readonly correlationId: string;
  readonly traceparent: string;
}

/** The ids a request travels under: its own where they are well formed, new ones where they are not. */
export function correlationOf(headers: IncomingHttpHeaders): Correlation {
  const messageId = newUuid();
  const given = headers['x-correlation-id'];
  const trace = headers['traceparent'];
  return {
    messageId,
    correlationId: typeof given === 'string' && correlationPattern.test(given) ? given : messageId,
    traceparent: typeof trace === 'string' && tracePattern.test(trace) ? trace : traceparentFrom(messageId),
  };
}

const correlationPattern = /^[\x21-\x7e]{1,128}$/;
const tracePattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** A message id has the randomness a trace needs, and so the two lead to each other. */
function traceparentFrom(id: Uuid): string {
  const hex = id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24);
  return `00-${hex}-${hex.slice(16)}-00`;
}
