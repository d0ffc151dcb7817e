import * as assert from 'uvu/assert';
import { LocalDispatcher } from '../../actors/commands/dispatcher.js';
import { CommandEndpoint } from '../../contracts/command-endpoint.js';
import { Command, Event } from '../../contracts/message.js';
import { Permission } from '../../contracts/permission.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { collect } from '../../runtime/kit/collect.js';
import { fakeClock } from '../../runtime/kit/fake-clock.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { RequestContext } from '../../runtime/request/request-context.js';
import { endpoint } from '../registrations.js';
import { HookedEndpoint, type Hooks } from '../testing/hooked-endpoint.js';
import { knownCallers } from '../testing/known-callers.js';
import { ApprovalAsked, ApprovalDecided, ApprovalEnded, EndApproval } from './approval-messages.js';
import { fingerprintOf } from './approved-command.js';
import { EndApprovalReceptor } from './end-approval.js';

const test = suite('end of an approval');

class Refund extends Command {
  declare orderId: string;
}
CommandEndpoint<Refund, object>({ restRoute: '/refund', permission: Permission.of('orders', 'refund') })(
  Refund,
);
class Refunded extends Event {
  declare orderId: string;
}
class Agree extends Command {}

const by = Permission.of('orders', 'approve');
const asker = {
  source: 'test',
  scope: { userId: 'desk', allowedPrincipals: [], extensions: {} },
  roles: [],
  permissions: ['orders:refund'],
};

/** A refund that a person has agreed to. */
async function agreed(hooks: Hooks<Refund> = {}, refuse = (): void => undefined) {
  const [approvalId, orderId] = [newUuid(), newUuid()];
  const clock = fakeClock('2026-01-01T00:00:00Z');
  const store = new InMemoryEventStore({ now: clock.now });
  const { guard } = knownCallers();
  const dispatcher = new LocalDispatcher({ store, accessGuard: guard });
  const registration = endpoint({
    command: Refund,
    endpoint: new HookedEndpoint<Refund>(dispatcher, hooks),
    decode: (value) => Refund.of(value as { orderId: string }),
  });
  const host = { store, accessGuard: guard, deadlineMs: 10_000, rightsOf: async (said: unknown) => said };
  const commands = new Map([['Refund', { registration, rule: { by } }]]);
  const counts = { handled: 0 };
  const fingerprint = fingerprintOf('Refund', { orderId }, asker);
  const history = [
    ApprovalAsked.of({
      approvalId,
      command: 'Refund',
      arguments: { orderId },
      fingerprint,
      asker,
      agent: 'agent:desk',
      expiresAt: '2026-01-02T00:00:00Z',
      withinMs: 86_400_000,
    }),
    ApprovalDecided.of({ approvalId, fingerprint, agree: true, by: 'grace' }),
  ];
  dispatcher.register([
    { command: Agree, receptor: { handle: (_, work) => void work.append(approvalId, history) } },
    { command: EndApproval, receptor: new EndApprovalReceptor(commands, () => host as never) },
    {
      command: Refund,
      receptor: {
        handle: (_: Refund, work) => {
          counts.handled++;
          work.append(orderId, Refunded.of({ orderId }));
          refuse();
          return { orderId };
        },
      },
    },
  ]);
  await dispatcher.localInvoke(Agree.of({}));
  const end = EndApproval.of({ approvalId, agreed: true });
  const typesOf = async (id: string) => (await collect(store.read(id))).map(({ messageType }) => messageType);
  return {
    clock,
    counts,
    orderId,
    refunds: () => typesOf(orderId),
    ended: async () => {
      const events = await collect(store.read(approvalId));
      return events
        .filter(({ messageType }) => messageType === ApprovalEnded.name)
        .map(({ payload }) => payload);
    },
    run: () => dispatcher.localInvoke<void>(end),
    /** As part of a step that is never committed. */
    runAndDie: () => {
      const context = new RequestContext({
        transport: 'reaction',
        cancellation: new Cancellation(),
        depth: 1,
      });
      return dispatcher.stage(end, context, dispatcher.openStep());
    },
  };
}

const done = ({ approvalId }: { approvalId: string }, orderId: string) => ({
  approvalId,
  outcome: 'done',
  result: { orderId },
});

test('an agreed command runs once, however late the step that was lost runs again', async () => {
  const { clock, counts, ended, orderId, refunds, run, runAndDie } = await agreed();
  await runAndDie();
  const [first] = await ended();
  assert.equal(first, done(first as { approvalId: string }, orderId));
  clock.advance('P2D');
  for (let times = 0; times < 2; times++) await run();
  assert.equal([counts.handled, await refunds(), (await ended()).length], [1, ['Refunded'], 1]);
});

test('of two hosts that carry it out at once, the commit of one counts', async () => {
  const { ended, refunds, run, runAndDie } = await agreed();
  await Promise.allSettled([run(), runAndDie(), run()]);
  assert.equal([await refunds(), (await ended()).length], [['Refunded'], 1]);
});

test('an after-hook that fails changes nothing about what was carried out', async () => {
  const after = (): never => {
    throw new Problem('unexpected');
  };
  const { counts, ended, refunds, run } = await agreed({ after });
  for (let times = 0; times < 2; times++) await run();
  assert.equal([counts.handled, await refunds(), (await ended()).length], [1, ['Refunded'], 1]);
});

test('what the receptor refuses is not stored, and ends the approval as failed', async () => {
  const { ended, refunds, run } = await agreed({}, () => {
    throw new Problem('order-closed', { status: 409, title: 'The order is closed' });
  });
  await run();
  const [{ outcome, problem } = {} as ApprovalEnded] = (await ended()) as ApprovalEnded[];
  assert.equal([outcome, problem?.code, await refunds()], ['failed', 'order-closed', []]);
});

test('a failure that is none of the command is tried again, and then it is done', async () => {
  let isDown = true;
  const { ended, refunds, run } = await agreed({}, () => {
    if (isDown) throw new Problem('store-unavailable');
  });
  await run().then(
    () => assert.unreachable(),
    () => undefined,
  );
  assert.equal([await refunds(), await ended()], [[], []]);
  isDown = false;
  await run();
  assert.equal([await refunds(), (await ended()).length], [['Refunded'], 1]);
});

test('what an error-hook makes of a failure is the result, and nothing of the command is stored', async () => {
  const recover = () => ({ orderId: 'later' });
  const { ended, refunds, run } = await agreed({ recover }, () => {
    throw new Problem('store-unavailable');
  });
  await run();
  const [{ outcome, result } = {} as ApprovalEnded] = (await ended()) as ApprovalEnded[];
  assert.equal([outcome, result, await refunds()], ['done', { orderId: 'later' }, []]);
});
