import * as assert from 'uvu/assert';
import { Command, Event } from '../../contracts/message.js';
import type { Dispatcher, Receptor, UnitOfWork } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { receptor } from '../../endpoints/registrations.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { RequestContext } from '../../runtime/request/request-context.js';
import { collect } from '../../runtime/kit/collect.js';
import { withNats } from '../../runtime/testing/shared-nats.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { withNatsHost } from '../testing/nats-host.js';
import { createOrder } from '../testing/order-load.js';
import { ordersAlone } from '../testing/orders-alone.js';

const test = suite('events that receptors name');

class OrderCreated extends Event {}
class SendInvoice extends Command {}
class InvoiceSent extends Event {}

class SendInvoiceReceptor implements Receptor<SendInvoice, void> {
  readonly events = [OrderCreated];

  handle(_command: SendInvoice, work: UnitOfWork): void {
    work.append(newUuid(), new InvoiceSent());
  }
}

let dispatcher: Dispatcher | undefined;
const invoices: ServiceDefinition = {
  name: 'invoices',
  create: (local) => {
    dispatcher = local;
    return { endpoints: [], receptors: [receptor(SendInvoice, new SendInvoiceReceptor())] };
  },
};

test('events that a receptor handles are received into the log, and its results carry their cause', () =>
  withNats((broker) =>
    withNatsHost(invoices, broker, (far, farUrl) =>
      withNatsHost(ordersAlone, broker, async (near, nearUrl) => {
        await until(async () => (await createOrder(near.url)).status === 200);
        await until(async () => (await rowsOf(farUrl, 'SELECT 1 FROM svc_events')).length === 1);
        const found = far.service.eventStore.readAll({ after: 0, types: ['OrderCreated'] });
        for (const { correlationId, messageId } of await collect(found)) {
          const cancellation = Cancellation.of(undefined);
          const cause = { correlationId, causationId: messageId };
          const context = new RequestContext({ transport: 'local', cancellation, ...cause });
          await dispatcher?.localInvoke(new SendInvoice(), undefined, context);
        }
        const [[id] = []] = await rowsOf(nearUrl, 'SELECT event_id FROM svc_events');
        assert.equal(
          await rowsOf(
            farUrl,
            `SELECT data->>'commandType', data->>'causationId' FROM svc_system_events WHERE event_type = 'CommandAudited'`,
          ),
          [['SendInvoice', id]],
        );
        const own = 'SELECT event_type FROM svc_events WHERE origin = 0';
        assert.equal(await rowsOf(farUrl, own), [['InvoiceSent']]);
        assert.equal(await rowsOf(nearUrl, own), [['OrderCreated']]);
      }),
    ),
  ));
