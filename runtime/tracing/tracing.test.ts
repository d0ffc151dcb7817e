import { trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { suite } from '../../contracts/testing/suite.js';
import type { OutboundMessage } from '../../contracts/transport.js';
import { Problem } from '../../contracts/problems.js';
import { isTraced, publishing, receiving, receivingAll, startSpan } from './tracing.js';

const test = suite('tracing');

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${spanId}-01`;
const envelope = {
  messageId: '018f0000-0000-7000-8000-000000000001',
  messageType: 'BreadBaked',
  correlationId: 'oven-7',
  traceparent,
} as StoredEvent;
const message: OutboundMessage = {
  id: envelope.messageId,
  destination: 'svc.events.BreadBaked',
  envelope,
};

/** The spans that a service with an SDK would export. */
async function spansOf(body: () => unknown): Promise<readonly ReadableSpan[]> {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  );
  try {
    await body();
    return exporter.getFinishedSpans();
  } finally {
    trace.disable();
  }
}

test('without an SDK nothing is traced, and a message is sent as it was stored', async () => {
  assert.not(isTraced());
  assert.is(startSpan('bake', 'internal', {}), undefined);
  let sent: OutboundMessage | undefined;
  await publishing(message, (out) => {
    sent = out;
    return Promise.resolve();
  });
  assert.is(sent, message);
  assert.is(
    receiving(envelope, (parent) => parent),
    traceparent,
  );
});

test('a span continues the trace of the caller', async () => {
  const [span] = await spansOf(() => startSpan('POST /bread', 'server', { traceparent })?.end());
  assert.equal(
    [span?.spanContext().traceId, span?.parentSpanContext?.spanId, span?.parentSpanContext?.isRemote],
    [traceId, spanId, true],
  );
});

test('an invalid traceparent starts a new trace', async () => {
  const [span] = await spansOf(() => startSpan('POST /bread', 'server', { traceparent: 'garbage' })?.end());
  assert.is(span?.parentSpanContext, undefined);
});

test('a message is sent under the span that sends it, in the trace it was stored in', async () => {
  let sent: string | undefined;
  const [span] = await spansOf(() =>
    publishing(message, ({ envelope: out }) => {
      sent = out.traceparent;
      return Promise.resolve();
    }),
  );
  const own = span?.spanContext();
  assert.is(span?.name, 'send svc.events.BreadBaked');
  assert.is(own?.traceId, traceId);
  assert.is(sent, `00-${traceId}-${own?.spanId}-01`);
  assert.is(span?.attributes['messaging.message.conversation_id'], 'oven-7');
});

test('handling a message is part of the trace it arrived with', async () => {
  let under: string | undefined;
  const [span] = await spansOf(() =>
    receiving(envelope, (parent) => {
      under = parent;
    }),
  );
  assert.is(span?.name, 'process BreadBaked');
  assert.is(span?.parentSpanContext?.spanId, spanId);
  assert.is(under, `00-${traceId}-${span?.spanContext().spanId}-01`);
});

test('messages of one batch are each part of their own trace, also when the batch fails', async () => {
  const other = { ...envelope, traceparent: traceparent.replace('0af7', 'ffff') };
  const spans = await spansOf(async () => {
    assert.is(await receivingAll([envelope, other], () => Promise.resolve(2)), 2);
    await receivingAll([envelope], () => Promise.reject(new RangeError('no shelf'))).catch(() => undefined);
  });
  assert.equal(
    spans.map((span) => [span.spanContext().traceId.slice(0, 4), span.status.code]),
    [
      ['0af7', 0],
      ['ffff', 0],
      ['0af7', 2],
    ],
  );
});

test('a server failure is an error of the span, a rejection is not; neither reveals its message', async () => {
  const spans = await spansOf(() => {
    for (const error of [new RangeError('secret'), new Problem('stream-conflict')]) {
      const span = startSpan('bake', 'internal', {});
      try {
        span?.during(() => {
          throw error;
        });
      } catch {
        // Recorded in the span.
      }
    }
  });
  assert.equal(
    spans.map(({ status, attributes }) => [status, attributes['error.type']]),
    [
      [{ code: 2 }, 'RangeError'],
      [{ code: 0 }, 'stream-conflict'],
    ],
  );
});
