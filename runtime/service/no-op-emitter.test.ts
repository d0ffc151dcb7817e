import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { NoOpSystemEventEmitter } from './no-op-emitter.js';

const test = suite('no-op emitter');

test('every operation resolves and does nothing, whatever it is given', async () => {
  const emitter = new NoOpSystemEventEmitter();
  const nothing = undefined as never;
  assert.is(await emitter.emit(nothing), undefined);
  assert.is(await emitter.emitEventAudited(nothing, nothing, nothing), undefined);
  assert.is(await emitter.emitCommandAudited(nothing, nothing, nothing), undefined);
});

test('it excludes nothing', () => {
  const emitter = new NoOpSystemEventEmitter();
  assert.is(emitter.shouldExcludeFromAudit('OpenShop'), false);
});
