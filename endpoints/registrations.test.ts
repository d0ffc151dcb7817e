import * as assert from 'uvu/assert';
import { CommandEndpoint } from '../contracts/command-endpoint.js';
import { Command } from '../contracts/message.js';
import { suite } from '../contracts/testing/suite.js';
import { Cancellation } from '../runtime/lang/cancellation.js';
import { RequestContext } from '../runtime/request/request-context.js';
import { lifecycleOf, RestMutationEndpointBase } from './mutation-endpoint.js';
import { encodeJson, endpoint, mustBeDistinct } from './registrations.js';

const test = suite('registry');

class WaveRequest {
  hand!: string;
}

@CommandEndpoint<Wave, string>({ restRoute: '/wave', requestType: WaveRequest })
class Wave extends Command {}

class Unmarked extends Command {}

class WaveEndpoint extends RestMutationEndpointBase<Wave, string> {
  protected override dispatchCommand(): string {
    return 'waved';
  }
}

const wave = () => endpoint({ command: Wave, endpoint: new WaveEndpoint(), decode: () => new Wave() });

test('an endpoint is registered where its decorator declares', () => {
  const { restRoute, graphQLMutation, takes } = wave();
  assert.equal(
    { restRoute, graphQLMutation, takes },
    { restRoute: '/wave', graphQLMutation: null, takes: 'request' },
  );
});

test('a command without the decorator cannot have an endpoint', () => {
  assert.throws(
    () => endpoint({ command: Unmarked, endpoint: new WaveEndpoint(), decode: () => new Wave() }),
    /Unmarked has no @CommandEndpoint/,
  );
});

test('the declared name of a result is passed to the endpoint', async () => {
  const { endpoint: own } = endpoint({
    command: Wave,
    endpoint: new WaveEndpoint(),
    decode: () => new Wave(),
    resultName: 'Waved',
  });
  const context = new RequestContext({ transport: 'rest', cancellation: new Cancellation() });
  await lifecycleOf(own).run('command', new Wave(), context);
  assert.is(context.metadata['responseType'], 'Waved');
});

test('two commands cannot have one route', () => {
  assert.throws(() => mustBeDistinct([wave(), wave()]), /the same route '\/wave'/);
  assert.not.throws(() => mustBeDistinct([wave()]));
});

test('a route starts with a slash', () => {
  assert.throws(() => mustBeDistinct([{ ...wave(), restRoute: 'wave' }]), /must start with '\/'/);
});

test('a result is encoded as JSON, no result as nothing, and null is a result', () => {
  assert.is(encodeJson({ a: 1 }), '{"a":1}');
  assert.is(encodeJson(undefined), null);
  assert.is(encodeJson(null), 'null');
});
