import { type Decode, invalid, object, text } from '../../contracts/codec.js';
import { CommandEndpoint } from '../../contracts/command-endpoint.js';
import { Command, Event } from '../../contracts/message.js';
import type { Perspective } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import type { Dispatcher, Receptor } from '../../contracts/receptor.js';
import type { OutboundMessage } from '../../contracts/transport.js';
import { newUuid } from '../../contracts/uuid.js';
import { endpoint, receptor } from '../../endpoints/registrations.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { type Hooks, MappingEndpoint } from '../../endpoints/testing/hooked-endpoint.js';
import { InProcessTransport } from '../../runtime/transport/in-process.js';

/** The step that fails; `rescued` is a dispatch whose failure the error-hook recovers. */
export type Mishap = '' | 'mapping' | 'before' | 'dispatching' | 'recovering' | 'rescued' | 'after';

class RepairRequest {
  item!: string;
  mishap!: string;
}

@CommandEndpoint<Repair, unknown>({ restRoute: '/repairs', requestType: RepairRequest })
class Repair extends Command {
  item!: string;
  mishap!: string;
}

class ItemRepaired extends Event {
  item!: string;
}

const goesWrongIn = ({ mishap }: { readonly mishap: string }, step: Mishap): void => {
  if (mishap === step) throw new Problem(`${step}-mishap`, { status: 409, detail: `The ${step} failed.` });
};

const repairFor = ({ item, mishap }: RepairRequest): Repair => {
  goesWrongIn({ mishap }, 'mapping');
  return Repair.of({ item, mishap });
};

const hooks: Hooks<Repair> = {
  before: (command) => goesWrongIn(command, 'before'),
  after: (command) => goesWrongIn(command, 'after'),
  recover: (command) => {
    goesWrongIn(command, 'recovering');
    return command.mishap === 'rescued' ? { status: 'postponed' } : null;
  },
};

const repair: Receptor<Repair, unknown> = {
  handle: ({ item, mishap }, _signal, work) => {
    if (['dispatching', 'recovering', 'rescued'].includes(mishap)) goesWrongIn({ mishap }, mishap as Mishap);
    work.append(newUuid(), ItemRepaired.of({ item }));
    return { status: 'repaired' };
  },
};

const repairs: Perspective<{ item: string }, ItemRepaired> = {
  name: 'repairs',
  events: [ItemRepaired],
  initial: () => ({ item: '' }),
  apply: (_, { payload }) => ({ item: payload.item }),
};

const decode: Decode<RepairRequest> = (value, path, faults) => {
  const from = object(value, path, faults);
  if (from === undefined) return invalid;
  return Object.assign(new RepairRequest(), {
    item: text(from['item'], `${path}/item`, faults),
    mishap: text(from['mishap'], `${path}/mishap`, faults),
  });
};

export interface Workshop {
  readonly definition: ServiceDefinition;
  readonly transport: RefusingTransport;
  /** A repair that was cancelled before it began. */
  abandon(): Promise<void>;
}

/** A service whose requests can fail in every state of the lifecycle. */
export function workshop(): Workshop {
  let desk: MappingEndpoint<Repair, RepairRequest> | undefined;
  const create = (dispatcher: Dispatcher) => {
    desk = new MappingEndpoint(dispatcher, hooks, repairFor);
    return {
      endpoints: [endpoint({ command: Repair, endpoint: desk, decode })],
      receptors: [receptor(Repair, repair)],
      perspectives: [repairs as Perspective<unknown>],
      events: [ItemRepaired],
      openApi: JSON.stringify({
        openapi: '3.1.0',
        paths: { '/repairs': { post: { operationId: 'repair', summary: 'Repairs one item' } } },
      }),
    };
  };
  return {
    definition: { name: 'workshop', create },
    transport: new RefusingTransport(),
    abandon: async () => {
      await desk
        ?.execute(Repair.of({ item: 'lamp', mishap: '' }), AbortSignal.abort())
        .catch(() => undefined);
    },
  };
}

/** Rejects these items for good, until changed. */
class RefusingTransport extends InProcessTransport {
  refuses: string | undefined = 'a cursed mirror';

  override get hasSubscribers(): boolean {
    return true;
  }

  override async publish(message: OutboundMessage): Promise<void> {
    const { item } = message.envelope.payload as { readonly item?: string };
    if (item !== undefined && item === this.refuses) {
      throw new Problem('message-too-large', { detail: `Nobody carries ${item}.` });
    }
    await super.publish(message);
  }
}
