import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, Event } from '../../contracts/message.js';
import type { Perspective } from '../../contracts/perspective.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { receptor } from '../../endpoints/registrations.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { withLiveHosts } from '../testing/live-hosts.js';
import { LiveReader } from '../testing/live-reader.js';

interface Sold {
  readonly sku: string;
  readonly sold: number;
}

class Sell extends Command {
  declare products: readonly string[];
}
class OrderSold extends Event {
  declare products: readonly string[];
}

const test = suite('rows of one event');

class SoldBySku implements Perspective<Sold, OrderSold> {
  readonly name = 'sold-by-sku';
  readonly route = '/sold';
  readonly events = [OrderSold];
  readonly late = 'apply';
  readonly columns = { sold: 'integer' } as const;
  key = ({ payload }: StoredEvent<OrderSold>): readonly string[] => payload.products;
  apply = (row: Sold | undefined, _: StoredEvent<OrderSold>, sku: string): Sold => ({
    sku,
    sold: (row?.sold ?? 0) + 1,
  });
}

const dispatchers: Dispatcher[] = [];
const shop: ServiceDefinition = {
  name: 'shop',
  create: (dispatcher) => {
    dispatchers.push(dispatcher);
    const sell = receptor(Sell, {
      handle: ({ products }: Sell, work) => void work.append(newUuid(), OrderSold.of({ products })),
    });
    return { endpoints: [], receptors: [sell], events: [OrderSold], perspectives: [new SoldBySku()] };
  },
};

test('one event changes several rows, which are read, filtered and watched; a watcher that left in between misses none', () =>
  withLiveHosts({ definition: shop }, async ([host]) => {
    const url = `${host?.url ?? ''}/sold`;
    const sell = (...products: string[]) => dispatchers[0]?.localInvoke(Sell.of({ products }));
    const watching = await LiveReader.open(`${url}/live`);
    await watching.has(1, 'ready');
    await sell('tea', 'milk', 'salt');
    const changes = await watching.has(3, 'changed');
    assert.equal(new Set(changes.map(({ data }) => data.row?.['sku'])), new Set(['tea', 'milk', 'salt']));
    await watching.close();
    const [first] = changes;
    const again = await LiveReader.open(`${url}/live`, { 'last-event-id': first?.id ?? '' });
    assert.is((await again.has(3, 'changed')).length, 3);
    await sell('tea');
    await again.has(4, 'changed');
    await again.close();
    const found = (await (await fetch(`${url}?filter[sold][gte]=2`)).json()) as { data: readonly Sold[] };
    assert.equal(found.data, [{ sku: 'tea', sold: 2 }]);
    assert.equal(await (await fetch(`${url}/salt`)).json(), { sku: 'salt', sold: 1 });
  }));
