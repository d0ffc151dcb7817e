import type { LocalDispatcher } from '../../../actors/commands/dispatcher.js';
import type { Command } from '../../../contracts/message.js';
import { Problem } from '../../../contracts/problems.js';
import type { EndpointRegistration } from '../../../endpoints/registrations.js';
import type { Registry } from '../../../endpoints/service-definition.js';
import { loadService } from '../../service/load-service.js';
import { ordersUnderTest } from '../harness/build-under-test.js';
import { commandsAlone } from '../harness/commands-alone.js';

/** The example's endpoint and decoder, with a receptor that stages nothing. */
export async function ordersWithoutStore(
  dispatcher: LocalDispatcher,
): Promise<{ registry: Registry; registration: EndpointRegistration }> {
  const orders = await loadService(ordersUnderTest());
  const registry = orders.create(dispatcher);
  const registration = registry.endpoints.find(({ restRoute }) => restRoute === '/orders');
  if (registration === undefined)
    throw new Problem('invalid-setup', { detail: 'The example has no /orders.' });
  const handle = (command: Command & { customerId?: string }) => ({
    orderId: command.customerId,
    total: '104.97',
    status: 'created',
  });
  dispatcher.register([{ command: registration.command, receptor: { handle } }]);
  return { registry: commandsAlone(registry), registration };
}
