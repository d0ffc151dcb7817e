import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { InMemoryIdempotencyGate } from '../../runtime/kit/in-memory-idempotency-gate.js';
import { bakeryOver, type Kitchen } from '../testing/bakery.js';
import { bakerySchema } from '../testing/parcels.js';
import { executableSchema } from './executable-schema.js';
import { executor, type GraphQLAnswer } from './executor.js';
import { MutationCall } from './mutation-call.js';

const test = suite('GraphQL executor');

/** Runs documents without HTTP. */
function bakery(kitchen: Kitchen = {}) {
  const store = new InMemoryEventStore();
  const { endpoints } = bakeryOver(store, kitchen);
  const run = executor(executableSchema(bakerySchema, endpoints), false);
  const ports = { store, gate: new InMemoryIdempotencyGate(store) };
  const facts = {
    correlation: { correlationId: 'c', traceparent: 't' },
    key: undefined,
    instance: '/graphql',
  };
  return async (query: string, variables?: Readonly<Record<string, unknown>>, mutate = true) => {
    const call = new MutationCall(ports, { ...facts, cancellation: new Cancellation() });
    const may = { mutate, stream: false };
    return (await run({ query, operationName: undefined, variables }, call, may)) as GraphQLAnswer;
  };
}

const to = '01890a5d-ac96-774b-bcce-b302099a8057';
const command = { to, weight: '1.50', speed: 'normal' };
const plain = 'mutation ($command: SendParcelInput!) { sendParcel(command: $command) { price } }';
const spread = plain.replace('{ price }', '{ ...P }') + ' fragment P on Parcel { price }';

test('a plain document and one with a fragment get the same answer', async () => {
  const ask = bakery();
  const expected = { body: '{"data":{"sendParcel":{"price":"1.50"}}}', isRefused: false, problems: [] };
  assert.equal(await ask(plain, { command }), expected);
  assert.equal(await ask(spread, { command }), expected);
});

test('the same failure gets the same answer', async () => {
  const lost = new Problem('parcel-lost', { status: 404, detail: 'Lost.' });
  const send = () => {
    throw lost;
  };
  const ask = bakery({ send });
  const bodies = await Promise.all([plain, spread].map((query) => ask(query, { command })));
  const [body] = bodies.map((answer) => answer.body);
  assert.match(
    body ?? '',
    /^\{"errors":\[\{"message":"Lost\.","locations":.*"data":\{"sendParcel":null\}\}$/,
  );
  assert.is(bodies[0]?.body, bodies[1]?.body);
  assert.equal(bodies[0]?.problems, [lost]);
  assert.is(bodies[0]?.isRefused, false);
});

test('an error in a document or its variables refuses the request', async () => {
  const ask = bakery();
  for (const [query, variables] of [['{'], ['{ nothing }'], [plain], [plain, { command: 1 }]] as const) {
    const answer = await ask(query, variables);
    assert.is(answer.isRefused, true);
    assert.match(answer.body, /^\{"errors":\[\{[^]*\}\]\}$/);
    assert.is(answer.problems[0]?.code, 'invalid-query');
  }
});

test('of many errors in the variables a few are reported, since each costs as much as the value is large', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`k${n}`, 1]));
  const { body } = await bakery()(plain, { command: unknown });
  const { errors } = JSON.parse(body) as { readonly errors: readonly unknown[] };
  assert.ok(errors.length <= 4, `${errors.length} errors`);
});

test('a mutation runs only where it is allowed', async () => {
  const ask = bakery();
  const error = await ask('mutation { openBakery }', {}, false).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof Problem && error.status === 405);
  assert.is((await ask('{ service }', {}, false)).body, '{"data":{"service":"svc-runtime"}}');
});
