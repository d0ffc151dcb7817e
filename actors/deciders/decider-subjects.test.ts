import * as assert from 'uvu/assert';
import type { Decider } from '../../contracts/decider.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, Event } from '../../contracts/message.js';
import type { Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { InMemoryKeptStates } from '../../runtime/testing/in-memory-kept-states.js';
import { accountHost, CountedStore } from '../testing/account-hosts.js';

const test = suite('subjects in the states of deciders');

class Called extends Event {
  customerId!: Uuid;
  name!: string | null;
}
class Call extends Command {
  customerId!: Uuid;
  name!: string | null;
}
interface Names {
  readonly names: readonly (string | null)[];
}
const commands = { Call };
class Customers implements Decider<Names, Called, typeof commands> {
  readonly name = 'customer';
  readonly version = 1;
  readonly commands = commands;
  stream = ({ customerId }: Call): Uuid => customerId;
  initial = (): Names => ({ names: [] });
  evolve = ({ names }: Names, { payload }: StoredEvent<Called>): Names => ({
    names: [...names, payload.name],
  });
  decide = {
    Call: ({ customerId, name }: Call, { names }: Names) => ({
      events: Called.of({ customerId, name }),
      result: names,
    }),
  };
}

const sealed = [
  { type: Called, fields: [{ path: ['name'], subject: 'customerId', subjectIn: 'object' }] },
] as const;

function setUp() {
  const store = new InMemoryEventStore({ sealed });
  const counted = new CountedStore(store);
  const kept = new InMemoryKeptStates();
  const { dispatcher, states } = accountHost(counted, { kept, keptEvery: 2 }, new Customers());
  const call = (customerId: Uuid, name: string) =>
    dispatcher.localInvoke<Names['names']>(Call.of({ customerId, name }));
  return { store, counted, kept, states, call };
}

test('a decider sees plain text, and a forgotten value as null from then on', async () => {
  const { store, states, call } = setUp();
  const ada = newUuid();
  await call(ada, 'Ada');
  assert.equal(await call(ada, 'Ada L.'), ['Ada']);
  assert.equal(await call(ada, 'Lady A.'), ['Ada', 'Ada L.']);
  store.forget(ada);
  states.forgetSubjects();
  assert.equal(await call(ada, 'Ada again'), [null, null, null]);
  assert.equal(await call(ada, 'Ada'), [null, null, null, null]);
});

test('a state with values of subjects is never kept', async () => {
  const { kept, call } = setUp();
  const ada = newUuid();
  for (let n = 0; n < 6; n++) await call(ada, 'Ada');
  assert.is(kept.size, 0);
});

test('a stream with values of subjects is read on, not again', async () => {
  const { counted, call } = setUp();
  const ada = newUuid();
  for (let n = 0; n < 6; n++) await call(ada, 'Ada');
  const { eventsRead } = counted;
  await call(ada, 'Ada');
  assert.ok(counted.eventsRead - eventsRead <= 2);
});
