import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { endpointFile, kebab, specifier } from './generated-paths.js';

const test = suite('generated paths');

test('an endpoint is in generated/ beside its command', () => {
  assert.is(
    endpointFile({ name: 'CreateOrder', file: 'sales/create-order' }),
    'sales/generated/create-order.endpoint',
  );
  assert.is(endpointFile({ name: 'Ping', file: 'ping' }), 'generated/ping.endpoint');
});

test('file names are in kebab case', () => {
  assert.is(kebab('CreateOrder'), 'create-order');
  assert.is(kebab('SendSMSNow2'), 'send-sms-now2');
});

test('import specifiers lead from file to file', () => {
  assert.is(specifier('generated/registry', 'sales/create-order'), '../sales/create-order.js');
  assert.is(specifier('generated/registry', 'generated/codecs'), './codecs.js');
});
