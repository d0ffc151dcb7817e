import type { EnvelopeScope } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Json, Timestamp, Uuid } from '../../contracts/scalars.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { maxDepth } from '../../runtime/reactions/ids.js';
import { RequestContext } from '../../runtime/request/request-context.js';
import { scopeOfEnvelope } from '../../runtime/request/scope-of-envelope.js';
import { Unhandled } from '../steps/step-errors.js';

/** What set something that is due, and when it was due before it failed. */
export interface DueContext {
  readonly causationId?: string;
  readonly correlationId?: string;
  readonly scope?: EnvelopeScope;
  readonly traceparent?: string;
  readonly depth?: number;
  readonly due?: Timestamp;
}

/** What has waited this long does not turn in circles. */
const restMs = 1_000;

/** The context of a command that is sent, or done, because its time has come. */
export function dueContext(
  { name, context: stored }: { readonly name: string; readonly context: Json },
  {
    messageId,
    waitedMs,
    deadlineMs,
  }: { readonly messageId: Uuid; readonly waitedMs: number; readonly deadlineMs?: number },
): RequestContext {
  const { causationId, correlationId, scope, traceparent, depth = 0 } = stored as DueContext;
  const rested = waitedMs >= restMs;
  if (!rested && depth >= maxDepth) {
    throw new Unhandled(
      new Problem('causation-too-deep', {
        detail: `${maxDepth} reactions and timers followed each other without a pause; they may form a loop.`,
      }),
    );
  }
  const known = scopeOfEnvelope(scope);
  const context = new RequestContext({
    transport: 'timer',
    cancellation: Cancellation.of(undefined, deadlineMs),
    messageId,
    correlationId,
    causationId,
    traceparent,
    depth: rested ? 1 : depth + 1,
    ...(known !== undefined && { scope: known }),
  });
  context.metadata['by'] = name;
  return context;
}
