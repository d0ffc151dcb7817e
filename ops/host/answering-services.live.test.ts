import * as assert from 'uvu/assert';
import { Command, Event } from '../../contracts/message.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import type { Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { until } from '../../runtime/kit/until.js';
import { withNatsHost } from '../testing/nats-host.js';

const test = suite('services that answer each other');

class Asked extends Event {
  declare talk: Uuid;
}
class Answered extends Event {
  declare talk: Uuid;
}
class Speak extends Command {
  declare talk: Uuid;
}

/** Says something whenever the other one has. */
function speaker(name: string, said: typeof Asked, other: typeof Asked) {
  const scene: { local?: Dispatcher } = {};
  const definition: ServiceDefinition = {
    name,
    create: (local) => {
      scene.local = local;
      return {
        endpoints: [],
        receptors: [
          {
            command: Speak,
            receptor: {
              handle: ({ talk }: Speak, work) =>
                void work.append(talk, said.of({ talk }), { expectedPosition: 'any' }),
            },
          },
        ],
        reactions: [
          {
            name: 'answer',
            events: [other],
            origin: 'others',
            key: ({ payload }) => (payload as Asked).talk,
            react: ({ payload }) => Speak.of({ talk: (payload as Asked).talk }),
          },
        ],
        events: [said],
      };
    },
  };
  return { definition, scene };
}

test('two services that answer each other end after 32 reactions, and the key is parked', () =>
  withEmptyNats(async (nats) => {
    const asking = speaker('asking', Asked, Answered);
    const answering = speaker('answering', Answered, Asked);
    const talk = newUuid();
    await withNatsHost(asking.definition, nats, (_, asked) =>
      withNatsHost(answering.definition, nats, async (__, answered) => {
        for (const url of [asked, answered])
          await until(
            async () =>
              (await rowsOf(url, "SELECT 1 FROM svc_progress WHERE name LIKE 'reaction/%'")).length === 8,
          );
        await asking.scene.local?.localInvoke(Speak.of({ talk }));
        const parked = `SELECT key, split_part(error, ':', 1) FROM svc_stuck_work WHERE state = 'parked'`;
        await until(async () => (await rowsOf(answered, parked)).length === 1, 120_000);
        assert.equal(await rowsOf(answered, parked), [[talk, 'causation-too-deep']]);
        assert.equal(await rowsOf(asked, 'SELECT key FROM svc_stuck_work'), []);
        const own = (url: string, type: string) =>
          rowsOf(url, `SELECT count(*) FROM svc_event_stream WHERE event_type = '${type}'`);
        assert.equal(await own(asked, 'Asked'), [['17']]);
        assert.equal(await own(answered, 'Answered'), [['16']]);
      }),
    );
  }));
