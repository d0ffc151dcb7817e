import { execute, Kind, parse, validate } from 'graphql';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { InMemoryIdempotencyGate } from '../../runtime/kit/in-memory-idempotency-gate.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { bakeryOver } from '../testing/bakery.js';
import { bakerySchema } from '../testing/parcels.js';
import { executableSchema } from './executable-schema.js';
import { MutationCall } from './mutation-call.js';
import { planOf } from './plan.js';

const test = suite('GraphQL plan');

const to = '01890a5d-ac96-774b-bcce-b302099a8057';
const command = { to, weight: '1.50', speed: 'express' };
const stops = [{ city: 'Bern', next: null }, { city: 'Zug' }];
const parcel = { parcelId: to, price: '9.90', speed: 'normal', note: null, stops };

/** Both answers to one document: from the plan, and then from graphql-js. */
async function bothAnswers(query: string, variables: Readonly<Record<string, unknown>>, result: unknown) {
  const runs: unknown[] = [];
  const store = new InMemoryEventStore();
  const send = () => {
    runs.push(result);
    return result;
  };
  const executable = executableSchema(bakerySchema, bakeryOver(store, { send }).endpoints);
  const { schema } = executable;
  const document = parse(query);
  assert.equal(validate(schema, document), []);
  const [operation] = document.definitions;
  assert.ok(operation?.kind === Kind.OPERATION_DEFINITION);
  const plan = planOf(operation, executable);
  const ports = { store, gate: new InMemoryIdempotencyGate(store) };
  const facts = {
    correlation: { correlationId: 'c', traceparent: 't' },
    key: undefined,
    instance: '/graphql',
  };
  const call = new MutationCall(ports, { ...facts, cancellation: new Cancellation() });
  const planned = await plan?.(variables, call);
  const interpreted = JSON.stringify(
    await execute({ schema, document, variableValues: variables, contextValue: call }),
  );
  return { isPlanned: plan !== undefined, planned, interpreted, runs: runs.length };
}

const mutation = (selection: string, field = 'sendParcel') =>
  `mutation Send($command: SendParcelInput!) { ${field}(command: $command) ${selection} }`;

const planned: readonly (readonly [string, unknown])[] = [
  [mutation('{ parcelId }'), parcel],
  [mutation('{ __typename price speed note id: parcelId stops { __typename next city } }'), parcel],
  [mutation('{ parcelId labels }', 'first: sendParcel'), { ...parcel, labels: { 'a b': [1, null, 'ü\n'] } }],
  [mutation('{ stops { city } }'), { ...parcel, stops: [] }],
  [mutation('{ parcelId }'), null],
  [mutation('{ parcelId }'), undefined],
];

for (const [query, result] of planned) {
  test(`${query} is answered byte for byte as by graphql-js`, async () => {
    const { planned: text, interpreted } = await bothAnswers(query, { command }, result);
    assert.is(text, interpreted);
  });
}

test('a command without a result is planned too', async () => {
  const query = 'mutation ($request: ReturnRequestInput!) { returnParcel(request: $request) }';
  const { planned: text } = await bothAnswers(query, { request: { parcelId: to } }, undefined);
  assert.is(text, '{"data":{"returnParcel":true}}');
});

const unusual: Readonly<Record<string, unknown>> = {
  'null for a non-null field': { ...parcel, price: null },
  'a value outside of its enum': { ...parcel, speed: 'slow' },
  'a promise inside': { ...parcel, price: Promise.resolve('1') },
  'a function inside': { ...parcel, price: () => '1' },
  'a value that is not a list': { ...parcel, stops: 'Bern' },
  'a value that is not an object': 'parcel',
};

for (const [name, result] of Object.entries(unusual)) {
  test(`${name} is left to graphql-js, and nothing runs twice`, async () => {
    const query = mutation('{ price speed stops { city } }');
    const answers = await bothAnswers(query, { command }, result);
    assert.is(answers.isPlanned, true);
    assert.is(answers.planned, undefined);
    assert.is(answers.runs, 1);
  });
}

const unplanned: readonly string[] = [
  'mutation { sendParcel(command: { to: "x", weight: 1 }) { parcelId } }',
  'mutation ($command: SendParcelInput!) { a: sendParcel(command: $command) { parcelId } openBakery }',
  'mutation ($to: Uuid!) { sendParcel(command: { to: $to, weight: 1 }) { parcelId } }',
  'mutation { openBakery }',
  mutation('{ ... on Parcel { parcelId } }'),
  mutation('{ parcelId @include(if: true) }'),
  mutation('{ payment { __typename } }'),
  mutation('{ parcelId parcelId }'),
  mutation('{ __proto__: parcelId }'),
  '{ service }',
];

for (const query of unplanned) {
  test(`${query} has no plan`, async () => {
    assert.is((await bothAnswers(query, { command, to }, parcel)).isPlanned, false);
  });
}

for (const wrong of [{ ...command, color: 'red' }, { to }, null, undefined, [command]]) {
  test(`${JSON.stringify(wrong)} runs nothing before graphql-js has looked at it`, async () => {
    const { planned: text } = await bothAnswers(mutation('{ parcelId }'), { command: wrong }, parcel);
    assert.is(text, undefined);
  });
}
