import { addHealthCheck } from '../../actors/health/health-additions.js';
import type { HealthCheck, HealthStatus } from '../../contracts/health.js';
import type { Command } from '../../contracts/message.js';
import type { AnyPerspective, Perspective } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import type { OutboundMessage } from '../../contracts/transport.js';
import type { EndpointRegistration } from '../../endpoints/registrations.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { bake, bakery, BreadBaked, bunFor, type Kitchen } from '../../endpoints/testing/bakery.js';
import { InProcessTransport } from '../../runtime/transport/in-process-transport.js';

/** The step that fails; `rescued` is a dispatch whose failure the error-hook recovers, `crashing` one that is a bug. */
export type Mishap =
  | ''
  | 'mapping'
  | 'before'
  | 'dispatching'
  | 'recovering'
  | 'rescued'
  | 'after'
  | 'crashing';

/** A request or command whose note names the mishap. */
interface Noted extends Command {
  readonly note?: string;
}

const failsIn = ({ note = '' }: Noted, ...steps: readonly Mishap[]): void => {
  if (steps.some((step) => step === note))
    throw new Problem(`${note}-mishap`, { status: 409, detail: `The ${note} failed.` });
};

const kitchen: Kitchen = {
  map: (request) => {
    failsIn(request, 'mapping');
    return bunFor(request);
  },
  before: (command) => failsIn(command, 'before'),
  bake: (command, work) => {
    failsIn(command, 'dispatching', 'recovering', 'rescued');
    if ((command as Noted).note === 'crashing') throw new TypeError('The oven is not a function.');
    return bake(command, work);
  },
  recover: (command: Noted) => {
    failsIn(command, 'recovering');
    return command.note === 'rescued' ? { baked: 0 } : null;
  },
  after: (command) => failsIn(command, 'after'),
};

const breads = (oven: Oven): Perspective<{ customer: string }, BreadBaked> => ({
  name: 'breads',
  events: [BreadBaked],
  initial: () => ({ customer: '' }),
  apply: (_, { payload: { customer } }) => {
    if (customer === oven.parks)
      throw new Problem('no-shelf', { detail: `There is no shelf for ${customer}.` });
    return { customer };
  },
});

/** What can go wrong beside requests. */
interface Oven {
  status: HealthStatus;
  /** Rows of this customer cannot be folded. */
  parks: string | undefined;
}

export interface FailingBakery {
  readonly definition: ServiceDefinition;
  readonly transport: RefusingTransport;
  readonly oven: Oven;
  /** So many buns, a few at a time. */
  bakeMany(count: number): Promise<void>;
  /** A bun that was cancelled before it was begun. */
  abandon(): Promise<void>;
}

/** A bakery whose buns can fail in every state of the lifecycle. */
export function failingBakery(): FailingBakery {
  let buns: EndpointRegistration | undefined;
  const oven: Oven = { status: 'Healthy', parks: 'Parker' };
  const create = (dispatcher: Dispatcher) => {
    const registry = bakery(dispatcher, kitchen);
    buns = registry.endpoints.find(({ restRoute }) => restRoute === '/bun');
    return {
      ...registry,
      perspectives: [breads(oven) as AnyPerspective],
      events: [BreadBaked],
      flags: ['fancy'],
      openApi: JSON.stringify({
        openapi: '3.1.0',
        paths: { '/bun': { post: { operationId: 'bakeBun', summary: 'Bakes one bun' } } },
      }),
    };
  };
  return {
    definition: {
      name: 'bakery',
      create,
      configure: (service) => void service.with(addHealthCheck(ovensCheck(oven))),
    },
    transport: new RefusingTransport(),
    oven,
    bakeMany: async (count) => {
      let left = count;
      const bakeOn = async (): Promise<void> => {
        while (left-- > 0) await buns?.endpoint.execute(bunFor({ who: 'Ada' }), new AbortController().signal);
      };
      await Promise.all(Array.from({ length: 16 }, bakeOn));
    },
    abandon: async () => {
      await buns?.endpoint.execute(bunFor({ who: 'Ada' }), AbortSignal.abort()).catch(() => undefined);
    },
  };
}

const ovensCheck = (oven: Oven): HealthCheck => ({
  name: 'ovens',
  tags: ['bakery'],
  periodMs: 250,
  check: () => ({
    status: oven.status,
    detail: oven.status === 'Healthy' ? undefined : 'An oven cools down.',
  }),
});

/** Rejects what is for this customer for good, until changed. */
class RefusingTransport extends InProcessTransport {
  refuses: string | undefined = 'Oscar';

  override get hasSubscribers(): boolean {
    return true;
  }

  override async publish(message: OutboundMessage): Promise<void> {
    const { customer } = message.envelope.payload as { readonly customer?: string };
    if (customer !== undefined && customer === this.refuses) {
      throw new Problem('message-too-large', { detail: `Nobody delivers to ${customer}.` });
    }
    await super.publish(message);
  }
}
