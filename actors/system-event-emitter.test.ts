import * as assert from 'uvu/assert';
import { SystemEventOptions } from '../contracts/system-event-options.js';
import { suite } from '../contracts/testing/suite.js';
import type { StagedRecord, Unit, UnitStore } from '../contracts/unit-store.js';
import { newUuid } from '../contracts/uuid.js';
import { Auditing } from '../runtime/audit/auditing.js';
import { Cancellation } from '../runtime/lang/cancellation.js';
import { RequestContext, runOf } from '../runtime/request/request-context.js';
import { StagedUnit } from '../runtime/unit/unit-of-work.js';
import { InMemoryEventStore } from '../runtime/kit/in-memory-event-store.js';
import { OpenShop, readers, ShopInspected, shopWith } from './testing/bakery-service.js';
import { SystemEventEmitterActor } from './system-event-emitter.js';
import { thrownBy } from '../runtime/testing/thrown-by.js';

const test = suite('system event emitter');

/** A store whose commits wait until the test releases them. */
class SlowStore extends InMemoryEventStore {
  readonly waiting: (() => void)[] = [];

  override async commit(unit: Unit, signal?: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    await super.commit(unit, signal);
  }

  letGo(count = Infinity): void {
    for (const resolve of this.waiting.splice(0, count)) resolve();
  }
}

function emitterOver(store: UnitStore) {
  const options = new SystemEventOptions().enableAll();
  const committed: StagedRecord[] = [];
  const emitter = new SystemEventEmitterActor({
    options,
    auditing: new Auditing(options),
    store: () => store,
    committed: (records) => void committed.push(...records),
  });
  return { emitter, committed };
}

const inspected = (by = 'Ada') => ShopInspected.of({ by });
const nextImmediate = () => new Promise(setImmediate);
const outcomeOf = (act: Promise<unknown>) =>
  act.then(
    () => 'stored',
    (error: { code?: string }) => error.code ?? 'failed',
  );

test('an emission is stored when it resolves, not before', async () => {
  const store = new SlowStore();
  const { emitter } = emitterOver(store);
  let resolved = false;
  const emitting = emitter.emit(inspected()).then(() => (resolved = true));
  await nextImmediate();
  assert.is(resolved, false);
  store.letGo();
  await emitting;
  assert.is((await readers(store).system()).length, 1);
});

test('scope and count of an emission are in its metadata, also of one with an id', async () => {
  const store = new InMemoryEventStore();
  const { emitter } = emitterOver(store);
  const context = { scope: { tenantId: 'acme' }, count: 12 };
  await emitter.emit(inspected(), undefined, undefined, context);
  await emitter.emit(inspected(), undefined, newUuid(), context);
  await emitter.emit(inspected());
  assert.equal(
    (await readers(store).system()).map(({ scope, count }) => [scope, count]),
    [
      [context.scope, 12],
      [context.scope, 12],
      [undefined, undefined],
    ],
  );
});

test('emissions keep their order', async () => {
  const store = new InMemoryEventStore();
  const { emitter } = emitterOver(store);
  const names = Array.from({ length: 1000 }, (_, n) => `inspector ${n}`);
  await Promise.all(names.map((name) => emitter.emit(inspected(name))));
  assert.equal(
    (await readers(store).recorded('ShopInspected')).map(({ by }) => by),
    names,
  );
});

test('256 commits are in flight at once, the others wait', async () => {
  const store = new SlowStore();
  const { emitter } = emitterOver(store);
  const all = Promise.all(Array.from({ length: 300 }, () => emitter.emit(inspected())));
  await nextImmediate();
  assert.is(store.waiting.length, 256);
  store.letGo(10);
  await nextImmediate();
  await nextImmediate();
  assert.is(store.waiting.length, 256);
  store.letGo();
  await nextImmediate();
  await nextImmediate();
  store.letGo();
  await all;
  assert.is((await readers(store).system()).length, 300);
});

test('its mailbox is bounded: one emission more is refused as overloaded, and none is dropped', async () => {
  const store = new SlowStore();
  const { emitter } = emitterOver(store);
  const room = 256 + 10_000;
  const outcomes = Array.from({ length: room + 2 }, () => outcomeOf(emitter.emit(inspected())));
  assert.equal(await Promise.all(outcomes.slice(room)), ['overloaded', 'overloaded']);
  const pump = setInterval(() => store.letGo(), 0);
  const settled = await Promise.all(outcomes.slice(0, room));
  clearInterval(pump);
  assert.is(settled.filter((outcome) => outcome === 'stored').length, room);
  assert.is((await readers(store).system()).length, room);
});

test('stopping refuses waiting emissions and finishes those in flight', async () => {
  const store = new SlowStore();
  const { emitter } = emitterOver(store);
  const outcomes = Array.from({ length: 258 }, () => outcomeOf(emitter.emit(inspected())));
  await nextImmediate();
  emitter.stop();
  store.letGo();
  const settled = await Promise.all(outcomes);
  assert.is(settled.filter((outcome) => outcome === 'stored').length, 256);
  assert.equal(settled.slice(256), ['draining', 'draining']);
});

test('after the stop every emission is refused, and no caller waits forever', async () => {
  const { emitter } = emitterOver(new InMemoryEventStore());
  emitter.stop();
  assert.is(await outcomeOf(emitter.emit(inspected())), 'draining');
  assert.is(await outcomeOf(emitter.emitCommandAudited(OpenShop.of({ street: 'a' }), 1, 'r')), 'draining');
});

test('a failing commit fails its emission only', async () => {
  const store = new InMemoryEventStore();
  const { emitter, committed } = emitterOver(store);
  const signal = AbortSignal.abort(new TypeError('gone'));
  const refused = emitter.emit(inspected(), signal).catch((error: unknown) => error);
  await emitter.emit(inspected('Bob'));
  assert.instance(await refused, TypeError);
  assert.equal(
    (await readers(store).recorded('ShopInspected')).map(({ by }) => by),
    ['Bob'],
  );
  assert.is(committed.length, 1);
});

test('the same record is refused the second time', async () => {
  const { emitter } = emitterOver(new InMemoryEventStore());
  const once = Object.assign(inspected(), { id: '018f0000-0000-7000-8000-00000000beef' });
  await emitter.emit(once);
  assert.is((await thrownBy(() => emitter.emit(once))).code, 'stream-conflict');
});

test('inside a unit a CommandAudited is staged, and stored only by the unit', async () => {
  const store = new InMemoryEventStore();
  const { emitter } = emitterOver(store);
  const context = new RequestContext({ transport: 'local', cancellation: new Cancellation() });
  const unit = new StagedUnit(context, store);
  runOf(context).unit = unit;
  const emit = () => emitter.emitCommandAudited(OpenShop.of({ street: 'a' }), 'done', 'r', context);
  await emit();
  assert.is(unit.records.length, 1);
  assert.equal(await readers(store).system(), []);
});

test('after its unit a CommandAudited is stored on its own if the unit was stored, and refused if the unit was given up', async () => {
  const store = new InMemoryEventStore();
  const { emitter } = emitterOver(store);
  const context = new RequestContext({ transport: 'local', cancellation: new Cancellation() });
  const unit = new StagedUnit(context, store);
  runOf(context).unit = unit;
  const emit = () => emitter.emitCommandAudited(OpenShop.of({ street: 'a' }), 'done', 'r', context);
  unit.close();
  assert.is((await thrownBy(emit)).code, 'unit-closed');
  assert.equal([unit.records, await readers(store).system()], [[], []]);
  unit.stored();
  await emit();
  assert.is((await readers(store).system()).length, 1);
});

test('emit inside a unit is its own unit: a denial survives the rollback', async () => {
  const { service, dispatcher, system } = shopWith(undefined, {
    OpenShop: {
      handle: async () => {
        await service.emitter.emit(inspected());
        throw new TypeError('denied');
      },
    },
  });
  await dispatcher.localInvoke(OpenShop.of({ street: 'a' })).catch(() => undefined);
  assert.equal(
    (await system()).map(({ messageType }) => messageType),
    ['ShopInspected'],
  );
});
