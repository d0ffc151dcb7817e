import * as assert from 'uvu/assert';
import { assign } from 'xstate';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, Event } from '../../contracts/message.js';
import type { ReceptorRegistration } from '../../contracts/receptor.js';
import type { Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { until } from '../../runtime/kit/until.js';
import { fulfilmentService } from '../testing/fulfilment-service.js';
import { OrderCreated, PaymentReceived } from '../testing/order-fulfilment.js';
import type { Process } from './process.js';
import { processSetup, shape } from './process-setup.js';

const test = suite('commands that the commit refuses');

class TakeName extends Command {
  declare orderId: Uuid;
  declare name: string;
}
class NameTaken extends Event {
  declare orderId: Uuid;
  declare name: string;
}

const receptors: readonly ReceptorRegistration[] = [
  {
    command: TakeName,
    receptor: {
      handle: ({ orderId, name }: TakeName, work) => {
        work.reserve('nickname', name, { owner: orderId });
        work.append(orderId, NameTaken.of({ orderId, name }), { expectedPosition: 'any' });
      },
    },
  },
];

interface Naming {
  orderId: Uuid;
  code: string;
}

const take = (name: string) => ({
  type: 'send' as const,
  params: ({ context: { orderId } }: { context: Naming }) => TakeName.of({ orderId, name }),
});

/** Takes the wanted name, or else one of its own; a day later also a second one. */
const naming = processSetup({
  events: { OrderCreated, PaymentReceived },
  commands: { TakeName },
  context: shape<Naming>(),
}).createMachine({
  context: ({ input }) => ({ orderId: input.data.orderId, code: '' }),
  initial: 'wanting',
  states: {
    wanting: {
      entry: [take('free'), take('wanted')],
      on: {
        'TakeName.refused': {
          target: 'settling',
          actions: assign({ code: ({ event }) => `${event.command.name} ${event.problem.code}` }),
        },
        PaymentReceived: 'late',
      },
      after: { 1000: 'late' },
    },
    settling: {
      entry: {
        type: 'send',
        params: ({ context: { orderId } }) => TakeName.of({ orderId, name: orderId }),
      },
      on: { PaymentReceived: 'done' },
    },
    late: {
      entry: take('later'),
      on: {
        'TakeName.refused': {
          target: 'done',
          actions: assign({ code: ({ event }) => `${event.command.name} ${event.problem.code}` }),
        },
      },
    },
    done: { type: 'final' },
  },
});

const process: Process = {
  name: 'naming',
  version: 1,
  machine: naming,
  starts: [OrderCreated],
  key: ({ payload }: StoredEvent) => (payload as OrderCreated).orderId,
};

const [ada, bob] = [newUuid(), newUuid()];

type Scene = ReturnType<typeof fulfilmentService>;

async function withNaming(taken: readonly string[], body: (scene: Scene) => Promise<void>): Promise<void> {
  const scene = fulfilmentService({}, process, receptors);
  for (const name of taken) await scene.dispatcher.localInvoke(TakeName.of({ orderId: ada, name }));
  const running = scene.runs.map((run) => run.run());
  await until(() => scene.runs.every(({ line }) => line !== undefined));
  try {
    await body(scene);
  } finally {
    for (const run of scene.runs) run.stop();
    await Promise.all(running);
  }
}

const names = async ({ typed }: Scene, owner: Uuid): Promise<readonly string[]> =>
  (await typed('NameTaken'))
    .map(({ payload }) => payload as NameTaken)
    .filter(({ orderId }) => orderId === owner)
    .map(({ name }) => name);

const codeOf = async ({ rowOf }: Scene): Promise<string> =>
  ((await rowOf(bob))?.snapshot as { readonly context?: Naming } | undefined)?.context?.code ?? '';

test('a name that another has is refused to the process, as a receptor would refuse it', () =>
  withNaming(['wanted'], async (scene) => {
    await scene.happen(OrderCreated.of({ orderId: bob }));
    await until(async () => (await scene.stateOf(bob)) !== undefined);
    assert.is(await scene.stateOf(bob), 'settling');
    assert.is(await codeOf(scene), 'wanted already-reserved');
    assert.equal(await names(scene, bob), ['free', bob]);
    assert.is((await scene.typed('ReactionFailed')).length, 0);
  }));

test('a name that another has is refused to a process whose timer fires', () =>
  withNaming(['later'], async (scene) => {
    await scene.happen(OrderCreated.of({ orderId: bob }));
    await until(async () => (await scene.stateOf(bob)) === 'wanting');
    scene.clock.advance(1_000);
    assert.equal(await scene.fireDue(), ['fired']);
    assert.equal([await scene.stateOf(bob), await codeOf(scene)], ['done', 'later already-reserved']);
    assert.equal(await names(scene, bob), ['free', 'wanted']);
  }));

test('two names are refused in one step, each for its own command', () =>
  withNaming(['free', 'wanted'], async (scene) => {
    await scene.happen(OrderCreated.of({ orderId: bob }));
    await until(async () => (await scene.rowOf(bob)) !== undefined);
    assert.equal([await scene.stateOf(bob), await codeOf(scene)], ['settling', 'free already-reserved']);
  }));
