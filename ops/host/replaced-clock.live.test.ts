import * as assert from 'uvu/assert';
import { processSetup, shape } from '../../actors/processes/process-setup.js';
import type { Process } from '../../actors/processes/process.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, Event } from '../../contracts/message.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import type { Long } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { receptor } from '../../endpoints/registrations.js';
import type { Registry } from '../../endpoints/service-definition.js';
import { fakeClock } from '../../runtime/kit/fake-clock.js';
import { passTime } from '../../runtime/kit/pass-time.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { withLiveHosts } from '../testing/live-hosts.js';

class Borrow extends Command {
  declare bookId: string;
}
class Remind extends Command {
  declare bookId: string;
}
class Reminded extends Event {
  declare bookId: string;
  declare at: Long;
}

const test = suite('a clock of the test');

interface Dependencies {
  readonly clock: { now(): number };
}

const dispatchers: Dispatcher[] = [];
const create = (dispatcher: Dispatcher, { clock }: Dependencies): Registry => {
  dispatchers.push(dispatcher);
  return {
    endpoints: [],
    receptors: [
      receptor(Borrow, {
        handle: ({ bookId }: Borrow, work) =>
          work.schedule(Remind.of({ bookId }), { in: 'P28D', name: 'reminder', key: bookId }),
      }),
      receptor(Remind, {
        handle: ({ bookId }: Remind, work) =>
          void work.append(bookId, Reminded.of({ bookId, at: clock.now() })),
      }),
    ],
    events: [Reminded],
  };
};

test('a host takes the clock that the test passes to create, and fires its timers when the test lets time pass', () => {
  const clock = fakeClock('2026-03-01T00:00:00Z');
  const definition = { name: 'library', create: (dispatcher: Dispatcher) => create(dispatcher, { clock }) };
  return withLiveHosts({ definition }, async (_hosts, _start, url) => {
    const [dispatcher] = dispatchers;
    const bookId = newUuid();
    await dispatcher?.localInvoke(Borrow.of({ bookId }));
    await passTime(url, 'P27D');
    const left = "SELECT (due_at BETWEEN now() + '23 h' AND now() + '25 h')::text FROM svc_timers";
    assert.equal(await rowsOf(url, left), [['true']]);
    clock.advance('P28D');
    await passTime(url, 'P1D');
    const reminded = "SELECT data ->> 'at' FROM svc_events WHERE event_type = 'Reminded'";
    await until(async () => (await rowsOf(url, reminded)).length === 1);
    assert.equal(await rowsOf(url, reminded), [[String(Date.parse('2026-03-29T00:00:00Z'))]]);
  });
});

class Lend extends Command {
  declare bookIds: readonly string[];
}
class Lent extends Event {
  declare bookId: string;
}

const machine = processSetup({
  events: { Lent },
  commands: { Remind },
  context: shape<{ bookId: string }>(),
  delays: { period: 'P28D', grace: 'P7D' },
}).createMachine({
  id: 'lent-book',
  context: ({ input }) => ({ bookId: input.data.bookId }),
  initial: 'lent',
  states: {
    lent: { after: { period: 'late' } },
    late: {
      entry: { type: 'send', params: ({ context: { bookId } }) => Remind.of({ bookId }) },
      after: { grace: 'later' },
    },
    later: { entry: { type: 'send', params: ({ context: { bookId } }) => Remind.of({ bookId }) } },
  },
});

class LentBook implements Process<typeof machine> {
  readonly name = 'lent-book';
  readonly version = 1;
  readonly machine = machine;
  readonly starts = [Lent];
  key = ({ payload }: StoredEvent<Lent>) => payload.bookId;
}

test('time passes only once the processes have handled what happened before', () => {
  const started: Dispatcher[] = [];
  const lends = (dispatcher: Dispatcher): Registry => {
    started.push(dispatcher);
    const { receptors, events = [] } = create(dispatcher, { clock: { now: () => 0 } });
    const lend = receptor(Lend, {
      handle: ({ bookIds }: Lend, work) => {
        for (const bookId of bookIds) work.append(bookId, Lent.of({ bookId }));
      },
    });
    return {
      endpoints: [],
      receptors: [...receptors, lend],
      events: [...events, Lent],
      processes: [new LentBook()],
    };
  };
  return withLiveHosts({ definition: { name: 'library', create: lends } }, async (_hosts, _start, url) => {
    await started[0]?.localInvoke(Lend.of({ bookIds: Array.from({ length: 100 }, newUuid) }));
    await passTime(url, 'P28D');
    await passTime(url, 'P7D');
    const reminded = "SELECT count(*)::text FROM svc_events WHERE event_type = 'Reminded'";
    await until(async () => (await rowsOf(url, reminded))[0]?.[0] === '200');
  });
});
