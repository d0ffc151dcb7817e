import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import type { EndpointRegistration } from '../registrations.js';
import { bakeryOver } from '../testing/bakery.js';
import { bakerySchema } from '../testing/parcels.js';
import { executableSchema } from './executable-schema.js';

const test = suite('executable schema');

const endpoints = bakeryOver(new InMemoryEventStore()).endpoints.filter(
  ({ graphQLMutation }) => graphQLMutation !== null,
);

function faultOf(text: string, registrations: readonly EndpointRegistration[]): string {
  try {
    executableSchema(text, registrations);
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid-setup') return error.message;
  }
  return 'none';
}

test('a mutation resolves to its registered endpoint', () => {
  const { fields } = executableSchema(bakerySchema, endpoints);
  for (const registration of endpoints)
    assert.is(fields.get(registration.graphQLMutation ?? '')?.registration.endpoint, registration.endpoint);
});

test('an endpoint that is missing in the schema stops the start', () => {
  const text = bakerySchema.replace('openBakery: Boolean', '');
  assert.match(faultOf(text, endpoints), "it has no mutation 'openBakery'");
});

test('a mutation without an endpoint stops the start', () => {
  assert.match(faultOf(bakerySchema, endpoints.slice(1)), "no endpoint answers 'sendParcel'");
});

test('an argument that the endpoint does not accept stops the start', () => {
  const text = bakerySchema.replace('request:', 'command:');
  assert.match(faultOf(text, endpoints), "'returnParcel' takes a request");
});

test('two endpoints of one mutation stop the start', () => {
  const twice = endpoints.map((registration) => ({ ...registration, graphQLMutation: 'sendParcel' }));
  assert.match(
    faultOf(bakerySchema, twice),
    "SendParcel and ReturnParcel have the same mutation 'sendParcel'",
  );
});

test('a union without a discriminator stops the start', () => {
  const text = bakerySchema.replace(/@discriminated\(by: "method".*\) =/, '=');
  assert.match(faultOf(text, endpoints), 'nothing distinguishes the members of Payment');
});

test('an invalid schema stops the start', () => {
  assert.match(faultOf('type', endpoints), 'Syntax Error');
  assert.match(faultOf(bakerySchema.replace('scalar Uuid', ''), endpoints), 'Unknown type "Uuid"');
});
