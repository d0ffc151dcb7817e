import { LocalDispatcher } from '../../../actors/commands/dispatcher.js';
import type { Command } from '../../../contracts/message.js';
import type { MutationContext } from '../../../contracts/mutation-context.js';
import type { Dispatcher } from '../../../contracts/receptor.js';
import { emitErrorEvents } from '../../../endpoints/emit-error-events.js';
import { createHttpServer } from '../../../endpoints/routes/http-server.js';
import { Inspection } from '../../../endpoints/inspection/inspection.js';
import { lifecycleOf, RestMutationEndpointBase } from '../../../endpoints/mutation-endpoint.js';
import { Inspector } from '../../../endpoints/routes/inspector.js';
import type { OwnRoutes } from '../../../endpoints/route-access.js';
import { fanOut } from '../../../runtime/request/observer.js';
import { spans } from '../../../runtime/request/spans.js';
import { never, noStore } from '../harness/no-store.js';
import { ordersWithoutStore } from './orders-without-store.js';

const deadlineMs = 10_000;

/** Typical hooks of an application, doing nothing. */
class HookedEndpoint extends RestMutationEndpointBase<Command, unknown> {
  constructor(private readonly dispatcher: Dispatcher) {
    super();
  }

  protected override async onBeforeExecute(): Promise<void> {}

  protected override dispatchCommand(command: Command, signal: AbortSignal, context: MutationContext) {
    return this.dispatcher.localInvoke<unknown>(command, signal, context);
  }

  protected override async onAfterExecute(): Promise<void> {}
}

const inspection = new Inspection({ host: 'bench' });
/** As in a host: every request is counted, timed and recorded. */
const observer = fanOut(
  spans,
  inspection,
  emitErrorEvents(() => undefined),
);
const dispatcher = new LocalDispatcher({ store: noStore, deadlineMs, observer });
const { registry, registration } = await ordersWithoutStore(dispatcher);
const endpoint = process.argv[2] === 'hooks' ? new HookedEndpoint(dispatcher) : registration.endpoint;
lifecycleOf(endpoint).bind({ observer });
const ownRoutes: OwnRoutes = (app) => app.get('/hello', { config: { permission: 'public' } }, () => 'hello');
/** A hook before the body: commands pay for it alone. */
const ownHook: OwnRoutes = (app) => app.addHook('onRequest', (_request, _reply, done) => done());
const own: Readonly<Record<string, OwnRoutes>> = { 'own-routes': ownRoutes, 'own-hook': ownHook };
const isInspected = process.argv[2] === 'inspected';
const server = createHttpServer(
  registry.endpoints.map((other) => (other === registration ? { ...registration, endpoint } : other)),
  { gate: { claim: never }, store: noStore, deadlineMs },
  {
    bodyLimit: 1 << 20,
    observer: inspection,
    schema: registry.schema,
    ownRoutes: own[process.argv[2] ?? ''],
    routes: isInspected ? [new Inspector(inspection.feed).route] : [],
  },
);
const url = await server.listen(0, '127.0.0.1');
process.stdout.write(`${JSON.stringify({ port: Number(new URL(url).port) })}\n`);
