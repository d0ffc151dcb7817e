import { trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Cancellation } from '../../runtime/cancellation.js';
import { RequestContext } from '../../runtime/request-context.js';
import { startSpan } from '../../runtime/tracing.js';
import { lifecycleFor, type LifecycleSteps } from './lifecycle.js';
import { tracedSteps } from './traced-steps.js';

const test = suite('traced steps');

const everything = { mapsRequest: true, hasBefore: true, hasAfter: true, hasError: true };

const steps: LifecycleSteps<string> = {
  isCancelled: () => false,
  cancellationReason: () => undefined,
  map: () => Promise.resolve(),
  before: () => undefined,
  dispatch: () => Promise.resolve('bread'),
  after: () => undefined,
  recover: () => 'toast',
};

async function statesOf(own: Partial<LifecycleSteps<string>>): Promise<readonly string[]> {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  );
  const span = startSpan('POST /bread', 'server', {});
  const context = new RequestContext({ transport: 'rest', cancellation: new Cancellation(), span });
  await lifecycleFor(everything).run(tracedSteps({ ...steps, ...own }, context));
  trace.disable();
  assert.is(context.span, span);
  return exporter.getFinishedSpans().map(({ name }) => name);
}

test('every state of a request is a span of its trace', async () => {
  assert.equal(await statesOf({}), ['mapping', 'before', 'dispatching', 'after']);
});

test('a request that recovers shows it in its trace', async () => {
  const dispatch = () => Promise.reject(new RangeError('no flour'));
  assert.equal(await statesOf({ dispatch }), ['mapping', 'before', 'dispatching', 'recovering']);
});
