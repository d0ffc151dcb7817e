import {
  type Attributes,
  context as active,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { Problem } from '../../contracts/problems.js';
import type { Envelope } from '../../contracts/message.js';
import type { OutboundMessage } from '../../contracts/transport.js';
import { isThenable } from '../lang/thenable.js';
import { traceStateOf } from './trace-state.js';
import { traceparentParts, traceparentText } from './traceparent.js';

export type SpanPurpose = 'server' | 'internal' | 'client' | 'producer' | 'consumer';

/** The parent of a span, from W3C headers. */
interface TraceParent {
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
}

const kinds: Readonly<Record<SpanPurpose, SpanKind>> = {
  server: SpanKind.SERVER,
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** One piece of work in a trace; it exists only when the service has installed an SDK. */
export class TraceSpan {
  readonly traceparent: string;

  constructor(
    private readonly tracer: Tracer,
    private readonly span: Span,
    /** Of the trace id, so it holds for every span of the trace; SDKs know only whether one is sampled. */
    private readonly randomFlag: number,
  ) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.traceparent = traceparentText({ traceId, spanId, flags: traceFlags | randomFlag });
  }

  child(name: string, purpose: SpanPurpose, attributes: Attributes = {}): TraceSpan {
    const parent = trace.setSpan(ROOT_CONTEXT, this.span);
    return new TraceSpan(
      this.tracer,
      this.tracer.startSpan(name, { kind: kinds[purpose], attributes }, parent),
      this.randomFlag,
    );
  }

  /** Runs the work with this span as the active one. */
  within<T>(work: () => T): T {
    return active.with(trace.setSpan(active.active(), this.span), work);
  }

  /** As above, and ends the span with the work. */
  during<T>(work: () => T): T {
    try {
      const result = this.within(work);
      if (!isThenable(result)) this.end();
      else
        result.then(
          () => this.end(),
          (error: unknown) => this.fail(error),
        );
      return result;
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  end(): void {
    this.span.end();
  }

  /** Ends the span of an HTTP request. */
  answered(status: number): void {
    this.span.setAttribute('http.response.status_code', status);
    if (status >= 500) this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.end();
  }

  /** Ends the span of an attempt. */
  attempted(outcome: string, hasFailed: boolean): void {
    this.span.setAttribute('svc.outcome', outcome);
    if (hasFailed) this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.end();
  }

  /** A trace holds only what a caller may see; a rejection is not a server error. */
  fail(error: unknown): void {
    const type = error instanceof Problem ? error.code : error instanceof Error ? error.name : 'unexpected';
    this.span.setAttribute('error.type', type);
    const isOurs = !(error instanceof Problem) || error.status >= 500;
    if (isOurs) this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.end();
  }
}

export const isTraced = (): boolean => installedTracer() !== undefined;

/** Undefined unless an SDK is installed: then tracing costs one check. */
export function startSpan(
  name: string,
  purpose: SpanPurpose,
  parent: TraceParent,
  attributes: Attributes = {},
): TraceSpan | undefined {
  const tracer = installedTracer();
  if (tracer === undefined) return undefined;
  const { context, flags } = remoteParent(parent);
  const span = tracer.startSpan(name, { kind: kinds[purpose], attributes }, context);
  return new TraceSpan(tracer, span, flags & 0b10);
}

/**
 * Begins a trace of its own for what is done later, perhaps much later, with a link to the span that asked for it: that
 * trace has ended.
 */
export function startLinkedSpan(
  name: string,
  purpose: SpanPurpose,
  asking: TraceParent,
  attributes: Attributes,
): TraceSpan | undefined {
  const tracer = installedTracer();
  if (tracer === undefined) return undefined;
  const context = trace.getSpanContext(remoteParent(asking).context);
  const links = context === undefined ? [] : [{ context }];
  return new TraceSpan(
    tracer,
    tracer.startSpan(name, { kind: kinds[purpose], attributes, links }, ROOT_CONTEXT),
    0,
  );
}

/** Publishes a message as part of the trace it was stored in. */
export function publishing<M extends OutboundMessage>(
  message: M,
  publish: (message: M) => Promise<void>,
): Promise<void> {
  if (!isTraced()) return publish(message);
  const { destination, envelope } = message;
  const span = startSpan(`send ${destination}`, 'producer', envelope, {
    'messaging.operation.type': 'send',
    'messaging.destination.name': destination,
    ...messageAttributes(envelope),
  });
  if (span === undefined) return publish(message);
  const { traceparent } = span;
  return span.during(() => publish({ ...message, envelope: { ...envelope, traceparent } }));
}

/** Handles a received message as part of the trace it was sent in. */
export function receiving<T>(envelope: Envelope, take: (traceparent: string | undefined) => T): T {
  const span = receptionOf(envelope);
  return span === undefined ? take(envelope.traceparent) : span.during(() => take(span.traceparent));
}

/** Handles a batch at once; every message is part of its own trace. */
export async function receivingAll<T>(envelopes: readonly Envelope[], take: () => Promise<T>): Promise<T> {
  if (!isTraced()) return take();
  const spans = envelopes.map(receptionOf);
  try {
    const result = await take();
    for (const span of spans) span?.end();
    return result;
  } catch (error) {
    for (const span of spans) span?.fail(error);
    throw error;
  }
}

const receptionOf = (envelope: Envelope): TraceSpan | undefined =>
  isTraced()
    ? startSpan(`process ${envelope.messageType}`, 'consumer', envelope, {
        'messaging.operation.type': 'process',
        ...messageAttributes(envelope),
      })
    : undefined;

const messageAttributes = ({ messageId, correlationId }: Envelope): Attributes => ({
  'messaging.message.id': messageId,
  ...(correlationId === undefined ? {} : { 'messaging.message.conversation_id': correlationId }),
});

/** Checked on every call: an SDK may be installed at any time. */
function installedTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider();
  if (!(provider instanceof ProxyTracerProvider)) return provider.getTracer('svc-runtime');
  return provider.getDelegateTracer('svc-runtime');
}

function remoteParent({ traceparent = '', tracestate }: TraceParent) {
  const parts = traceparentParts(traceparent);
  if (parts === undefined) return { context: ROOT_CONTEXT, flags: 0 };
  const { traceId, spanId, flags } = parts;
  const traceState = tracestate === undefined ? undefined : traceStateOf(tracestate);
  const context = trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: flags,
    isRemote: true,
    ...(traceState === undefined ? {} : { traceState }),
  });
  return { context, flags };
}
