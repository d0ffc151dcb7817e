import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, Event } from '../../contracts/message.js';
import type { Perspective } from '../../contracts/perspective.js';
import type { Problem } from '../../contracts/problems.js';
import type { Dispatcher, Receptor } from '../../contracts/receptor.js';
import type { Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { receptor } from '../../endpoints/registrations.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { RequestContext } from '../../runtime/request/request-context.js';
import { collect } from '../../runtime/kit/collect.js';
import { until } from '../../runtime/kit/until.js';
import { sharedHosts } from '../testing/live-hosts.js';

const test = suite('rows that receptors read');

class SeatTaken extends Event {
  roomId!: Uuid;
}

interface Room {
  readonly roomId: string;
  readonly taken: number;
}

class Rooms implements Perspective<Room, SeatTaken> {
  readonly name = 'rooms';
  readonly events = [SeatTaken];
  readonly columns = { taken: { type: 'integer', of: ({ taken }: Room) => taken } } as const;
  initial = (): Room => ({ roomId: '', taken: 0 });
  apply = ({ taken }: Room, { payload: { roomId } }: StoredEvent<SeatTaken>): Room => ({
    roomId,
    taken: taken + 1,
  });
}

class TakeSeat extends Command {
  roomId!: Uuid;
  readsStream?: boolean;
  /** Between what is read and what is staged. */
  meanwhile?: () => Promise<unknown>;
}

class LookAround extends Command {
  roomId!: Uuid;
}

const takeSeat: Receptor<TakeSeat, number> = {
  handle: async ({ roomId, readsStream = false, meanwhile }, work) => {
    const room = await work.model(Rooms, roomId);
    if (readsStream) await collect(work.read(roomId));
    await meanwhile?.();
    work.append(roomId, SeatTaken.of({ roomId }));
    return room?.taken ?? 0;
  },
};

const lookAround: Receptor<LookAround, readonly unknown[]> = {
  handle: async ({ roomId }, work) => [
    await work.model(Rooms, roomId),
    await work.models(Rooms, { filter: { taken: { gte: 2 } }, sort: ['-taken'], limit: 5 }),
  ],
};

let dispatcher: Dispatcher | undefined;
const theatre: ServiceDefinition = {
  name: 'theatre',
  create: (local) => {
    dispatcher = local;
    return {
      endpoints: [],
      receptors: [receptor(TakeSeat, takeSeat), receptor(LookAround, lookAround)],
      perspectives: [new Rooms()],
      events: [SeatTaken],
    };
  },
};

const shared = sharedHosts({ definition: theatre });
test.before(() => shared.start());
test.after(() => shared.stop());

function run<TResult>(command: Command, tenantId = 'north'): Promise<TResult | undefined> {
  const scope = { allowedPrincipals: [], extensions: {}, tenantId };
  const context = new RequestContext({ transport: 'local', cancellation: Cancellation.of(undefined), scope });
  return Promise.resolve(dispatcher?.localInvoke<TResult>(command, undefined, context));
}

const look = (roomId: Uuid, tenantId?: string) =>
  run<readonly [Room | undefined, readonly Room[]]>(LookAround.of({ roomId }), tenantId);

test('a receptor reads a row and a list of the tenant of its caller', async () => {
  const roomId = newUuid();
  await run(TakeSeat.of({ roomId }));
  await run(TakeSeat.of({ roomId }));
  await until(async () => (await look(roomId))?.[0]?.taken === 2);
  const room = { roomId, taken: 2 };
  assert.equal(await look(roomId), [room, [room]]);
  assert.equal(await look(roomId, 'south'), [undefined, []]);
});

test('a row that a receptor read is no part of the conflict check, a stream is', async () => {
  const roomId = newUuid();
  await run(TakeSeat.of({ roomId }));
  await until(async () => (await look(roomId))?.[0]?.taken === 1);
  const meanwhile = () => run(TakeSeat.of({ roomId }));
  assert.is(await run(TakeSeat.of({ roomId, meanwhile })), 1);
  const conflict = run(TakeSeat.of({ roomId, readsStream: true, meanwhile }));
  assert.is(await conflict.catch((error: Problem) => error.code), 'stream-conflict');
  await until(async () => (await look(roomId))?.[0]?.taken === 4);
});
