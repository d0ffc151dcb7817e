import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { exampleModel } from '../testing/example-model.js';
import { Memo } from '../model/memo.js';
import { emitAll } from './emit-all.js';
import { redactedTypes } from './redactor.js';
import { emitRegistry } from './registry.js';

const test = suite('emit registry');

test('an endpoint is registered with the declared name of its result', () => {
  const text = emitRegistry(exampleModel(), redactedTypes(exampleModel()));
  assert.match(
    text,
    /decode: decodeCreateOrder, encode: encodeCreateOrderResult, resultName: 'CreateOrderResult' \}/,
  );
});

test('a receptor is registered with it too, for commands that no endpoint dispatches', () => {
  const text = emitRegistry(exampleModel(), redactedTypes(exampleModel()));
  assert.match(text, /\(CreateOrder, new \w+\([^)]*\), 'CreateOrderResult'\)/);
});

test('a command without a result has neither an encoder nor a result name', () => {
  const commands = exampleModel().commands.map((command) => ({ ...command, result: null }));
  const text = emitRegistry({ ...exampleModel(), commands }, redactedTypes(exampleModel()));
  assert.not.match(text, /resultName|encode: /);
});

test('the flags that the sources use are registered by name', () => {
  assert.match(emitRegistry(exampleModel(), []), /flags: \[\n +'gift-wrap',\n +\],/);
  assert.match(emitRegistry({ ...exampleModel(), flags: [] }, []), /flags: \[\],/);
});

test('a reaction or a sender of webhooks that is added while svc dev runs is registered', () => {
  const [model, memo, info] = [exampleModel(), new Memo(), { title: 'orders', version: '1' }];
  const registryOf = (more: object): string =>
    emitAll({ ...model, ...more }, info, memo).find(({ path }) => path.endsWith('registry.ts'))?.text ?? '';
  assert.not.match(registryOf({}), 'webhooks');
  assert.match(
    registryOf({ webhooks: [{ name: 'webhooks', file: 'sender', published: [] }] }),
    'webhooks: [',
  );
  const reactions = [{ name: 'NotifyReader', file: 'notify-reader', parameters: [] }];
  assert.match(registryOf({ reactions }), 'new NotifyReader()');
});
