import { trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Cancellation } from '../lang/cancellation.js';
import { type Observed, observed, type Visit } from './observer.js';
import { RequestContext, runOf } from './request-context.js';
import { spans } from './spans.js';
import { startSpan } from '../tracing/tracing.js';

const test = suite('spans of a request');

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

/** A command in the span of its request. */
function tracedCommand(): Observed {
  const span = startSpan('POST /bread', 'server', {});
  const cancellation = new Cancellation();
  const { traceparent } = span ?? {};
  const context = new RequestContext({ transport: 'rest', cancellation, span, traceparent });
  return { type: 'BakeBread', command: undefined, context, handlerName: 'BakeBreadReceptor' };
}

test('spans nest, and what is stored meanwhile carries the innermost span', async () => {
  const seen: (string | undefined)[] = [];
  const ended = await spansOf(async () => {
    const of = tracedCommand();
    await observed(spans.entered('handler', of) as Visit, async () => {
      await Promise.resolve();
      seen.push(of.context.traceparent);
    });
    seen.push(of.context.traceparent);
    runOf(of.context).span?.answered(200);
  });
  const [inner, outer] = ended.map((span) => span.spanContext().spanId);
  assert.equal(
    seen.map((text) => text?.split('-')[2]),
    [inner, outer],
  );
});

test('every working state of a lifecycle is a span, and one that fails shows it', async () => {
  const ended = await spansOf(() => {
    const of = tracedCommand();
    const visit = spans.entered('lifecycle', of) as Visit;
    visit.moved?.('passed', 'before');
    visit.moved?.('succeeded', 'dispatching');
    visit.moved?.('failed', 'recovering', new RangeError('no flour'));
    visit.moved?.('recovered', 'recovered');
    runOf(of.context).span?.end();
  });
  assert.equal(
    ended.map(({ name, status, attributes }) => [name, status.code, attributes['error.type']]),
    [
      ['before', 0, undefined],
      ['dispatching', 2, 'RangeError'],
      ['recovering', 0, undefined],
      ['POST /bread', 0, undefined],
    ],
  );
});

test('a handler that ends after its request has moved on leaves the span of the later state current', async () => {
  const seen: (string | undefined)[] = [];
  await spansOf(async () => {
    const of = tracedCommand();
    const lifecycle = spans.entered('lifecycle', of);
    lifecycle?.moved?.('passed', 'dispatching');
    let answer: (result: string) => void = () => undefined;
    const handler = spans.entered('handler', of);
    assert.ok(handler);
    const handled = observed(handler, () => new Promise<string>((resolve) => (answer = resolve)));
    lifecycle?.moved?.('failed', 'recovering', new RangeError('too late'));
    seen.push(of.context.traceparent);
    answer('baked');
    await handled;
    seen.push(of.context.traceparent);
  });
  assert.ok(seen[0]);
  assert.is(seen[1], seen[0]);
});
