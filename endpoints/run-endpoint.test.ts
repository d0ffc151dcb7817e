import * as assert from 'uvu/assert';
import { Command } from '../contracts/message.js';
import { CommandEndpoint } from '../contracts/command-endpoint.js';
import type { Idempotency } from '../contracts/mutation-context.js';
import { Problem } from '../contracts/problems.js';
import { suite } from '../contracts/testing/suite.js';
import { Cancellation } from '../runtime/lang/cancellation.js';
import type { Observer } from '../runtime/request/observer.js';
import { RequestContext } from '../runtime/request/request-context.js';
import { InMemoryEventStore } from '../runtime/kit/in-memory-event-store.js';
import { InMemoryIdempotencyGate } from '../runtime/kit/in-memory-idempotency-gate.js';
import { lifecycleOf, RestMutationEndpointBase } from './mutation-endpoint.js';
import { problemOfEnd } from './problem.js';
import { endpoint } from './registrations.js';
import { answerOnce, idempotencyOf } from './idempotency.js';

const test = suite('running an endpoint');

class Whom {
  who!: string;
}

@CommandEndpoint<Greet, string>({ restRoute: '/greetings', requestType: Whom })
class Greet extends Command {
  name!: string;
}

class GreetEndpoint extends RestMutationEndpointBase<Greet, string, Whom> {
  runs = 0;

  protected override mapRequestToCommand({ who }: Whom): Greet {
    return Greet.of({ name: who });
  }

  protected override dispatchCommand({ name }: Greet): string {
    this.runs++;
    return `Hello ${name}`;
  }
}

function greeting() {
  const greet = new GreetEndpoint();
  const registration = endpoint({ command: Greet, endpoint: greet, decode: (value) => value as Whom });
  const sent = { who: 'Ada' };
  const once = idempotencyOf({ key: 'k', of: registration, sent, caller: undefined });
  const run = (idempotency?: Idempotency) => {
    const cancellation = new Cancellation();
    const context = new RequestContext({ transport: 'rest', cancellation, idempotency });
    return { context, run: () => lifecycleOf(registration.endpoint).run(registration.takes, sent, context) };
  };
  return { greet, once, run };
}

function ports() {
  const store = new InMemoryEventStore();
  return { store, gate: new InMemoryIdempotencyGate(store) };
}

test('an endpoint receives what its registration declares', async () => {
  const end = await greeting().run().run();
  assert.equal(end, { outcome: 'completed', result: 'Hello Ada' });
});

test('an observer sees every state of a request, its end, and the command that it was mapped to', async () => {
  const seen: unknown[] = [];
  const { run, greet } = greeting();
  const observer: Observer = {
    entered: (part, of) => {
      seen.push(part, of.type, of.command);
      return {
        moved: (event, to) => void seen.push(`${event} ${to}`),
        left: ({ outcome }) => void seen.push(outcome, of.command?.constructor.name),
      };
    },
  };
  lifecycleOf(greet).bind({ observer });
  await run().run();
  assert.equal(seen, [
    ...['lifecycle', 'Greet', undefined],
    ...['passed mapping', 'succeeded dispatching', 'succeeded completed'],
    ...['completed', 'Greet'],
  ]);
});

test('with a key it runs once, and its answer is repeated', async () => {
  const { run, greet, once } = greeting();
  const kept = ports();
  const answer = () => answerOnce(kept, { idempotency: once, instance: '/greetings', ...run(once) });
  assert.equal(await answer(), { status: 200, body: '"Hello Ada"', replayed: false });
  assert.equal(await answer(), { status: 200, body: '"Hello Ada"', replayed: true });
  assert.is(greet.runs, 1);
});

test('a failure after the commit says so', () => {
  const error = new Problem('teapot', { status: 418 });
  const noSecrets = { secrets: undefined };
  assert.is(problemOfEnd({ outcome: 'failed', error, in: 'dispatching' }, noSecrets), error);
  assert.is(problemOfEnd({ outcome: 'failed', error, in: 'after' }, noSecrets).code, 'after-hook-failed');
});
