import * as assert from 'uvu/assert';
import type { SystemEvent } from '../../contracts/message.js';
import { systemMessages } from '../../contracts/system-messages.js';
import { suite } from '../../contracts/testing/suite.js';
import { envelope, OpenShop, ShopOpened, shopWith, street } from '../testing/bakery-service.js';
import { deniedAccess } from '../testing/denied-access.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';

const test = suite('conformance: invalid records');

for (const [fault, more] of [
  ['/reason must be one of', { reason: 'BadMood' }],
  ['/resourceType is required', { resourceType: undefined }],
  ['/timestamp must be an ISO 8601 timestamp', { timestamp: 'yesterday' }],
  ['/callerPermissions/0 must be a permission', { callerPermissions: ['everything'] }],
] as const) {
  test(`Emit refuses an invalid record: ${fault}, and stores nothing`, async () => {
    const { service, store } = shopWith();
    const problem = await thrownBy(() => service.emitter.emit(deniedAccess(more)));
    assert.is(problem.code, 'invalid-system-event');
    assert.ok(problem.message.includes(`AccessDenied: ${fault}`), problem.message);
    assert.equal(store.commits, []);
  });
}

test('every required field of every system event of the specification is named when it is missing', async () => {
  const { service, store } = shopWith((o) => o.enableAll());
  for (const [name, type] of systemMessages) {
    const empty = Reflect.construct(type, [{}]) as SystemEvent;
    const problem = await thrownBy(() => service.emitter.emit(empty));
    assert.is(problem.code, 'invalid-system-event', name);
    assert.ok(problem.message.startsWith(`${name}: /`), problem.message);
    assert.ok((problem.errors ?? []).length > 0, name);
  }
  assert.equal(store.commits, []);
});

test('EmitEventAudited refuses an invalid record, naming the field, and stores nothing', async () => {
  const { service, store } = shopWith();
  const opened = envelope(ShopOpened.of({ street: 'High' }));
  const emit = (id: string, position: number, more: object) => () =>
    service.emitter.emitEventAudited(id, position, { ...opened, ...more });
  assert.match(
    (await thrownBy(emit(street, 1.5, {}))).message,
    /\/originalStreamPosition must be an integer/,
  );
  assert.match((await thrownBy(emit(street, 1, { timestamp: 'now' }))).message, /\/timestamp must be/);
  assert.match(
    (await thrownBy(emit(street, 1, { messageId: '7' }))).message,
    /\/originalEventId must be a UUID/,
  );
  assert.equal(store.commits, []);
});

test('EmitCommandAudited refuses an invalid record, naming the field, and stores nothing', async () => {
  const { service, store } = shopWith();
  const problem = await thrownBy(() =>
    service.emitter.emitCommandAudited(OpenShop.of({ street: 'a' }), undefined, 7 as never),
  );
  assert.match(problem.message, /CommandAudited: \/receptorName must be a string/);
  assert.equal(store.commits, []);
});
