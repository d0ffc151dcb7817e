import * as assert from 'uvu/assert';
import { Command } from '../contracts/message.js';
import { CommandEndpoint } from '../contracts/command-endpoint.js';
import { Problem } from '../contracts/problems.js';
import { suite } from '../contracts/testing/suite.js';
import { Cancellation } from '../runtime/cancellation.js';
import { RequestContext } from '../runtime/request-context.js';
import { InMemoryEventStore } from '../runtime/testing/in-memory-event-store.js';
import { InMemoryIdempotencyGate } from '../runtime/testing/in-memory-idempotency-gate.js';
import { lifecycleOf } from './mutation-endpoint.js';
import { endpoint } from './registrations.js';
import { RestMutationEndpointBase } from './rest-endpoint.js';
import { type Invocation, problemOfEnd, runEndpoint, runEndpointOnce } from './run-endpoint.js';

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

function greeting(): { readonly invocation: Invocation; readonly greet: GreetEndpoint } {
  const greet = new GreetEndpoint();
  const registration = endpoint({ command: Greet, endpoint: greet, decode: (value) => value as Whom });
  const context = new RequestContext({ transport: 'rest', cancellation: new Cancellation() });
  return { invocation: { registration, context, decoded: { who: 'Ada' } }, greet };
}

function ports() {
  const store = new InMemoryEventStore();
  return { store, gate: new InMemoryIdempotencyGate(store) };
}

test('an endpoint receives what its registration declares', async () => {
  const end = await runEndpoint(greeting().invocation);
  assert.equal(end, { outcome: 'completed', result: 'Hello Ada' });
});

test('an inspected request runs under inspection', async () => {
  const seen: string[] = [];
  const { invocation, greet } = greeting();
  lifecycleOf(greet).watchedBy(() => ({
    inspect: ({ type }) => void seen.push(type),
    ended: ({ outcome }) => void seen.push(outcome),
  }));
  await runEndpoint(invocation);
  assert.ok(seen.includes('@xstate.snapshot'));
  assert.is(seen.at(-1), 'completed');
});

test('with a key it runs once, and its answer is repeated', async () => {
  const { invocation, greet } = greeting();
  const kept = ports();
  const once = () => runEndpointOnce(invocation, kept, { key: 'k', instance: '/greetings' });
  assert.equal(await once(), { status: 200, body: '"Hello Ada"', replayed: false });
  assert.equal(await once(), { status: 200, body: '"Hello Ada"', replayed: true });
  assert.is(greet.runs, 1);
});

test('a failure after the commit says so', () => {
  const error = new Problem('teapot', { status: 418 });
  assert.is(problemOfEnd({ outcome: 'failed', error, in: 'dispatching' }), error);
  assert.is(problemOfEnd({ outcome: 'failed', error, in: 'after' }).code, 'after-hook-failed');
});
