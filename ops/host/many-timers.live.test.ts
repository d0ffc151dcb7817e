import * as assert from 'uvu/assert';
import { Command, Event } from '../../contracts/message.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import type { Timestamp } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { receptor } from '../../endpoints/registrations.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { withLiveHosts } from '../testing/live-hosts.js';

class Remind extends Command {
  declare customers: readonly string[];
  declare at: Timestamp;
}
class Greet extends Command {
  declare customerId: string;
}
class Greeted extends Event {
  declare customerId: string;
}

const test = suite('many timers');

const dispatchers: Dispatcher[] = [];
const shop: ServiceDefinition = {
  name: 'shop',
  create: (dispatcher) => {
    dispatchers.push(dispatcher);
    return {
      endpoints: [],
      receptors: [
        receptor(Remind, {
          handle: ({ customers, at }, work) => {
            for (const customerId of customers)
              work.schedule(Greet.of({ customerId }), { at, name: 'greeting', key: customerId });
          },
        }),
        receptor(Greet, {
          handle: ({ customerId }, work) => void work.append(customerId, Greeted.of({ customerId })),
        }),
      ],
      events: [Greeted],
    };
  },
};

test('thousands that are due at once fire once each, on several hosts, and a command beside them is handled', () =>
  withLiveHosts({ definition: shop, count: 2 }, async (_hosts, _start, url) => {
    const [dispatcher] = dispatchers;
    assert.ok(dispatcher);
    const customers = Array.from({ length: 4_000 }, () => newUuid());
    const at = new Date(Date.now() + 60_000).toISOString();
    for (let from = 0; from < customers.length; from += 200)
      await dispatcher.localInvoke(Remind.of({ customers: customers.slice(from, from + 200), at }));
    const left = async () => Number((await rowsOf(url, 'SELECT count(*) FROM svc_timers'))[0]?.[0]);
    assert.is(await left(), customers.length);
    await rowsOf(url, 'UPDATE svc_timers SET due_at = clock_timestamp()');
    await dispatcher.localInvoke(Greet.of({ customerId: newUuid() }));
    await until(async () => (await left()) === 0, 120_000);
    const [[greeted, streams] = []] = await rowsOf(
      url,
      "SELECT count(*), count(DISTINCT stream_id) FROM svc_events WHERE event_type = 'Greeted'",
    );
    assert.equal([greeted, streams], ['4001', '4001']);
  }));
