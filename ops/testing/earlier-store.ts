import { readFile } from 'node:fs/promises';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Event } from '../../contracts/message.js';
import type { Perspective } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { connect } from '../../runtime/database/connect.js';
import { withDatabase } from '../../runtime/testing/database.js';
import { exampleHere } from '../../runtime/testing/process-root.js';
import { loadService } from '../load-service.js';

class OrderCreated extends Event {}
class OrderCancelled extends Event {}
class OrderShipped extends Event {}
class OrderArchived extends Event {}

interface Steps {
  readonly steps: readonly string[];
}

/** Takes snapshots early, and parks an order with an unknown carrier. */
const orderSteps: Perspective<Steps> = {
  name: 'order-steps',
  events: [OrderCreated, OrderCancelled, OrderShipped, OrderArchived],
  snapshotEvery: 2,
  initial: () => ({ steps: [] }),
  apply: ({ steps }, { messageType, payload }: StoredEvent) => {
    const { carrier } = payload as { readonly carrier?: string };
    if (carrier === 'Nowhere Freight')
      throw new Problem('not-found', { detail: 'There is no such carrier.' });
    return { steps: [...steps, messageType] };
  },
};

const repository = new URL('../../../', import.meta.url);

/**
 * The application whose stores are kept in `ops/testing/stores`: the orders example with SQL files and one more
 * perspective.
 */
export async function parcelOrders(): Promise<ServiceDefinition> {
  const orders = await loadService(exampleHere('orders'));
  return {
    ...orders,
    version: '1.0.0',
    migrations: new URL('ops/testing/stores/migrations', repository),
    create: (dispatcher) => {
      const registry = orders.create(dispatcher);
      return {
        ...registry,
        perspectives: [...(registry.perspectives ?? []), orderSteps],
      };
    },
  };
}

/** A store created by an earlier version of this library. */
const storeFile = (version: string): URL => new URL(`ops/testing/stores/store-${version}.sql`, repository);

/** Provides a database with such a store, as if it had been stopped a moment ago. */
export const withStoreOf = (version: string, body: (url: string) => Promise<void>): Promise<void> =>
  withDatabase(async (url) => {
    const client = await connect(url);
    await client.query(await readFile(storeFile(version), 'utf8'));
    // Idempotent answers are kept for a day.
    await client.query("UPDATE svc_idempotency SET expires_at = now() + interval '1 day'");
    await client.end();
    await body(url);
  });
