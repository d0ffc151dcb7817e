import * as assert from 'uvu/assert';
import { Command, Event } from '../../contracts/message.js';
import type { Perspective } from '../../contracts/perspective.js';
import type { Problem } from '../../contracts/problems.js';
import type { Reaction } from '../../contracts/reaction.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import type { Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { receptor } from '../../endpoints/registrations.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { until } from '../../runtime/kit/until.js';
import { withLiveHosts } from '../testing/live-hosts.js';

const test = suite('reactions that wait for perspectives');

class Booked extends Event {
  accountId!: Uuid;
}
class Book extends Command {
  accountId!: Uuid;
}
class SendStatement extends Command {
  accountId!: Uuid;
}

class Balances implements Perspective<{ readonly booked: number }, Booked> {
  readonly name = 'balances';
  readonly events = [Booked];
  initial = () => ({ booked: 0 });
  apply = ({ booked }: { readonly booked: number }) => ({ booked: booked + 1 });
}

const sendStatement = (after: string): Reaction<Booked> => ({
  name: 'send-statement',
  events: [Booked],
  after: [after],
  react: ({ payload: { accountId } }) => SendStatement.of({ accountId }),
});

function bank(after: string) {
  let local: Dispatcher | undefined;
  const seen: unknown[] = [];
  const book = receptor(Book, {
    handle: ({ accountId }, work) =>
      void work.append(accountId, Booked.of({ accountId }), { expectedPosition: 'any' }),
  });
  const send = receptor(SendStatement, {
    handle: async ({ accountId }, work) => void seen.push(await work.model(Balances, accountId)),
  });
  const definition: ServiceDefinition = {
    name: 'bank',
    create: (dispatcher) => {
      local = dispatcher;
      const perspectives = [new Balances()];
      return { endpoints: [], receptors: [book, send], perspectives, reactions: [sendStatement(after)] };
    },
  };
  return { definition, seen, book: (accountId: Uuid) => local?.localInvoke(Book.of({ accountId })) };
}

test('the command of a reaction reads a row in which the event is', async () => {
  const { definition, seen, book } = bank('balances');
  await withLiveHosts({ definition }, async () => {
    for (let n = 0; n < 5; n++) await book(newUuid());
    await until(() => seen.length === 5);
    assert.equal(seen, Array(5).fill({ booked: 1 }));
  });
});

test('a host does not start when a reaction waits for a perspective that is not there', async () => {
  const { definition } = bank('balance');
  const started = withLiveHosts({ definition }, () => Promise.resolve());
  const problem = await started.then(
    () => undefined,
    (error: unknown) => error as Problem,
  );
  assert.is(problem?.code, 'invalid-setup');
  assert.is(
    problem?.message,
    "The reaction 'send-statement' waits for the perspective 'balance', which is not known; there are: balances.",
  );
});
