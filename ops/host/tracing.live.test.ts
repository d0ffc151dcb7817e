import { SpanKind, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { endpoint } from '../../endpoints/registrations.js';
import { HookedEndpoint } from '../../endpoints/testing/hooked-endpoint.js';
import { post } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { messageListener } from '../../runtime/testing/message-listener.js';
import { withNats } from '../../runtime/testing/shared-nats.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { receiving } from '../../runtime/tracing/tracing.js';
import { InProcessTransport } from '../../runtime/transport/in-process-transport.js';
import { readConfig } from '../config/config.js';
import { followingService } from '../testing/following-service.js';
import { startHost } from './host.js';
import { withNatsHost } from '../testing/nats-host.js';
import { anOrder } from '../testing/order-load.js';
import { ordersAlone } from '../testing/orders-alone.js';
import { gateway, Remind, smsGateway, textingShop } from '../testing/texting-shop.js';

const test = suite('host tracing');

const traceId = '0af7651916cd43dd8448eb211c80319c';
const caller = 'b7ad6b7169203331';

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
);
test.after(() => trace.disable());

/** From the outermost span to this one. */
function pathTo(span: ReadableSpan | undefined): string[] {
  if (span === undefined) return [];
  const parent = exporter
    .getFinishedSpans()
    .find((other) => other.spanContext().spanId === span.parentSpanContext?.spanId);
  return [...pathTo(parent), `${SpanKind[span.kind]} ${span.name}`];
}

const spanNamed = (name: string) => exporter.getFinishedSpans().find((span) => span.name === name);

async function finished(name: string): Promise<ReadableSpan> {
  await until(() => spanNamed(name) !== undefined);
  return spanNamed(name) as ReadableSpan;
}

const storedTrace = async (url: string): Promise<string> =>
  (await rowsOf(url, "SELECT metadata->>'traceparent' FROM svc_events")).flat().join();

const idOf = (span: ReadableSpan | undefined): string => span?.spanContext().spanId ?? '';

/** From the caller to the receiver of the event. */
const wholePath = [
  'SERVER POST /orders',
  'INTERNAL dispatching',
  'INTERNAL CreateOrderReceptor',
  'PRODUCER send svc.events.OrderCreated',
  'CONSUMER process OrderCreated',
];

test('a request is one trace from HTTP through handler and append to publish and receive, continued from the caller', () =>
  withStore(async (url) => {
    const transport = new InProcessTransport();
    transport.subscribe(
      messageListener('svc.events.>', ({ envelope }) => {
        receiving(envelope, () => undefined);
      }),
    );
    const config = readConfig({ SVC_PORT: '0', DATABASE_URL: url });
    const host = await startHost(ordersAlone, config, transport);
    try {
      const headers = { traceparent: `00-${traceId}-${caller}-01` };
      const answer = await post(host.url, anOrder, { path: '/orders', headers });
      assert.is(answer.status, 200);
      const received = await finished('process OrderCreated');
      assert.equal(pathTo(received), wholePath);
      assert.equal(pathTo(spanNamed('append')), [
        'SERVER POST /orders',
        'INTERNAL dispatching',
        'CLIENT append',
      ]);
      const spans = exporter.getFinishedSpans();
      assert.ok(spans.every((span) => span.spanContext().traceId === traceId));
      const server = await finished('POST /orders');
      assert.is(server.parentSpanContext?.spanId, caller);
      assert.is(server.attributes['http.response.status_code'], 200);
      assert.is(answer.headers['traceparent'], `00-${traceId}-${idOf(server)}-01`);
      assert.is(await storedTrace(url), `00-${traceId}-${idOf(spanNamed('CreateOrderReceptor'))}-01`);
    } finally {
      await host.stop();
    }
  }));

test('over NATS the trace of a command continues in the service that receives its event', async () => {
  const application = ordersAlone;
  await withNats((broker) =>
    withNatsHost(followingService, broker, (_, farUrl) =>
      withNatsHost(application, broker, async (near, nearUrl) => {
        exporter.reset();
        const headers = { traceparent: `00-${traceId}-${caller}-01` };
        await until(async () => (await post(near.url, anOrder, { path: '/orders', headers })).status === 200);
        const received = await finished('process OrderCreated');
        // A broker may deliver a message before its sender knows that it was sent.
        const sent = await finished('send svc.events.OrderCreated');
        assert.equal(pathTo(received), wholePath);
        assert.is(received.spanContext().traceId, traceId);
        assert.is(await storedTrace(nearUrl), `00-${traceId}-${idOf(spanNamed('CreateOrderReceptor'))}-01`);
        assert.is(await storedTrace(farUrl), `00-${traceId}-${idOf(sent)}-01`);
      }),
    ),
  );
});

test('each attempt of an effect is a trace of its own, with a link to the span that asked for it', () =>
  withStore(async (url) => {
    exporter.reset();
    const other = gateway();
    other.answer = ({ attempt }) => {
      if (attempt === 1) throw new TypeError('connection refused');
      return 'sms';
    };
    const shop = textingShop(smsGateway(other, { retries: { first: 'PT0.05S' } }));
    const decode = (body: unknown) => Object.assign(Object.create(Remind.prototype) as Remind, body);
    const definition: typeof shop = {
      name: 'shop',
      create: (dispatcher) => ({
        ...shop.create(dispatcher),
        endpoints: [
          endpoint({
            command: Remind,
            decode,
            encode: () => null,
            endpoint: new HookedEndpoint<Remind>(dispatcher, {}),
          }),
        ],
      }),
    };
    const host = await startHost(definition, readConfig({ SVC_PORT: '0', DATABASE_URL: url }));
    try {
      const headers = { traceparent: `00-${traceId}-${caller}-01` };
      await post(host.url, { orderId: newUuid(), to: '1' }, { path: '/reminders', headers });
      const calls = () => exporter.getFinishedSpans().filter(({ name }) => name === 'call sms-gateway');
      await until(() => calls().length === 2);
      assert.equal(
        calls().map(({ attributes, status }) => [
          ...[attributes['svc.attempt'], attributes['svc.outcome'], status.code],
        ]),
        [
          [1, 'retrying', 2],
          [2, 'done', 0],
        ],
      );
      const asking = await finished('RemindReceptor');
      for (const call of calls()) {
        assert.equal(
          call.links.map(({ context }) => [context.traceId, context.spanId]),
          [[traceId, idOf(asking)]],
        );
        assert.is(call.parentSpanContext, undefined);
        assert.is.not(call.spanContext().traceId, traceId);
      }
    } finally {
      await host.stop();
    }
  }));
