import { createSourceEventStream, executeSync, type ExecutionArgs, GraphQLError } from 'graphql';
import { Problem } from '../../contracts/problems.js';
import { livePositionText } from '../../runtime/live/live-position.js';
import type { LiveMessage } from '../../runtime/live/watcher.js';
import { type CloseReason, heartbeatFrame } from '../live/event-frames.js';
import type { StreamFormat } from '../live/stream-format.js';
import { type EncodedError, fieldError, requestError } from './errors.js';
import { responseBody } from './response-body.js';
import { changeOf, WatchSource } from './subscription-fields.js';

/** A valid subscription of a caller who may watch. */
export interface Subscription {
  readonly source: WatchSource;
  readonly format: StreamFormat;
}

/** The errors, if it cannot be started. */
export async function subscriptionOf(
  args: ExecutionArgs,
  correlationId: string,
): Promise<Subscription | readonly EncodedError[]> {
  const source = await createSourceEventStream(args);
  if (source instanceof WatchSource) return { source, format: formatOf(args, correlationId) };
  const { errors = [] } = source as { readonly errors?: readonly GraphQLError[] };
  return errors.map((error) => {
    const { originalError } = error;
    const isOurs = originalError === undefined || originalError instanceof GraphQLError;
    return (isOurs ? requestError : fieldError)(error, correlationId);
  });
}

/** The result of an operation that ends with it. */
export const onlyResult = (body: string): string => next(body) + complete;

const next = (body: string): string => `event: next\ndata: ${body}\n\n`;

/** EventSource dispatches no event without data. */
const complete = 'event: complete\ndata: \n\n';

function formatOf(args: ExecutionArgs, correlationId: string): StreamFormat {
  return {
    frameOf: (message) =>
      `id: ${livePositionText(message.at)}\n${next(resultOf(args, message, correlationId))}`,
    heartbeat: heartbeatFrame,
    closed: (reason) => closedFrame(reason, correlationId),
  };
}

/** Rows are plain values: nothing is waited for, and changes keep their order. */
function resultOf(args: ExecutionArgs, message: LiveMessage, correlationId: string): string {
  const { data = null, errors = [] } = executeSync({ ...args, rootValue: changeOf(message) });
  const encoded = errors.map((error) => fieldError(error, correlationId));
  return responseBody(encoded, data);
}

/** A client of a host that stops reconnects, since its subscription is not complete. */
function closedFrame(reason: CloseReason, correlationId: string): string {
  if (reason === 'draining') return '';
  const originalError = new Problem('stream-closed', {
    status: reason === 'permission' ? 403 : 503,
    title: `The service has ended the stream: ${reason}`,
    extensions: { reason },
  });
  const error = new GraphQLError(originalError.title, { originalError });
  return onlyResult(responseBody([fieldError(error, correlationId)]));
}
