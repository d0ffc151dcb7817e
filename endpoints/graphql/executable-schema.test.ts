import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LocalDispatcher } from '../../actors/commands/dispatcher.js';
import { Problem } from '../../contracts/problems.js';
import { InMemoryEventStore } from '../../runtime/testing/in-memory-event-store.js';
import type { EndpointRegistration } from '../registry.js';
import { postOffice, postOfficeSchema } from '../testing/post-office.js';
import { executableSchema } from './executable-schema.js';

const test = suite('executable schema');

const endpoints = postOffice(new LocalDispatcher({ store: new InMemoryEventStore() }), {});

function faultOf(text: string, registrations: readonly EndpointRegistration[]): string {
  try {
    executableSchema(text, registrations);
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid-setup') return error.message;
  }
  return 'none';
}

test('a mutation leads to the very endpoint that is registered', () => {
  const { fields } = executableSchema(postOfficeSchema, endpoints);
  for (const registration of endpoints)
    assert.is(fields.get(registration.graphQLMutation ?? '')?.registration.endpoint, registration.endpoint);
});

test('an endpoint the schema does not know stops the start', () => {
  const text = postOfficeSchema.replace('openOffice: Boolean', '');
  assert.match(faultOf(text, endpoints), "it has no mutation 'openOffice'");
});

test('a mutation that no endpoint answers stops the start', () => {
  assert.match(faultOf(postOfficeSchema, endpoints.slice(1)), "no endpoint answers 'sendParcel'");
});

test('an argument the endpoint does not take stops the start', () => {
  const text = postOfficeSchema.replace('request:', 'command:');
  assert.match(faultOf(text, endpoints), "'returnParcel' takes a request");
});

test('two endpoints of one mutation stop the start', () => {
  const twice = endpoints.map((registration) => ({ ...registration, graphQLMutation: 'sendParcel' }));
  assert.match(
    faultOf(postOfficeSchema, twice),
    "SendParcel and ReturnParcel have the same mutation 'sendParcel'",
  );
});

test('a union whose members cannot be told apart stops the start', () => {
  const text = postOfficeSchema.replace(/@discriminated\(by: "method".*\) =/, '=');
  assert.match(faultOf(text, endpoints), 'nothing tells the members of Payment apart');
});

test('a text that is no schema stops the start', () => {
  assert.match(faultOf('type', endpoints), 'Syntax Error');
  assert.match(faultOf(postOfficeSchema.replace('scalar Uuid', ''), endpoints), 'Unknown type "Uuid"');
});

test.run();
