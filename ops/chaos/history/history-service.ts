import { type Decode, invalid, object } from '../../../contracts/codec.js';
import { CommandEndpoint } from '../../../contracts/command-endpoint.js';
import { Command, Event } from '../../../contracts/message.js';
import type { UnitOfWork } from '../../../contracts/receptor.js';
import type { Uuid } from '../../../contracts/scalars.js';
import { endpoint, receptor } from '../../../endpoints/registrations.js';
import type { ServiceDefinition } from '../../../endpoints/service-definition.js';
import { HookedEndpoint } from '../../../endpoints/testing/hooked-endpoint.js';

/** Each list is a stream. */
interface Step {
  readonly list: Uuid;
  /** Without it, the list is read. */
  readonly value?: number;
}

type Lists = readonly (readonly number[])[];

/** Does its steps in one commit, and answers with the lists that it read. */
@CommandEndpoint<Transact, Lists>({ restRoute: '/transact' })
class Transact extends Command {
  steps!: readonly Step[];
}

class Appended extends Event {
  value!: number;
}

async function transact({ steps }: Transact, work: UnitOfWork): Promise<Lists> {
  const lists: number[][] = [];
  const isRead = new Set<Uuid>();
  for (const { list, value } of steps) {
    if (value === undefined) {
      lists.push(await valuesIn(list, work));
      isRead.add(list);
    } else {
      const options = isRead.has(list) ? {} : { expectedPosition: 'any' as const };
      work.append(list, Appended.of({ value }), options);
    }
  }
  return lists;
}

async function valuesIn(list: Uuid, work: UnitOfWork): Promise<number[]> {
  const values: number[] = [];
  for await (const { payload } of work.read(list, { guard: true })) values.push((payload as Appended).value);
  return values;
}

const decode: Decode<Transact> = (value, path, faults) => {
  const from = object(value, path, faults);
  return from === undefined ? invalid : Transact.of({ steps: from['steps'] as readonly Step[] });
};

/** An application whose clients can write a history. */
const histories: ServiceDefinition = {
  name: 'histories',
  create: (dispatcher) => ({
    endpoints: [
      endpoint({ command: Transact, endpoint: new HookedEndpoint<Transact>(dispatcher, {}), decode }),
    ],
    receptors: [receptor(Transact, { handle: transact })],
    events: [Appended],
  }),
};

export default histories;
