import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CommandFailed, HookFailed } from '../../contracts/events/error.js';
import { AccessDenied } from '../../contracts/events/access.js';
import { addService } from '../../runtime/service.js';
import { eventStore } from '../../runtime/store/event-store-addition.js';
import {
  OpenShop,
  over,
  problemOf,
  ShopInspected,
  shopWith,
  street,
  WatchedStore,
} from '../conformance/shop.js';

const test = suite('service dispatcher');
const command = OpenShop.of({ street: 'High' });

test('what a receptor emits is stored with its unit, and tells where it comes from', async () => {
  const { dispatcher, store, system } = shopWith(undefined, {
    OpenShop: {
      handle: (_command, _signal, work) => {
        work.emit(ShopInspected.of({ by: 'Ada' }));
        return work.context.messageId;
      },
    },
  });
  const messageId = await dispatcher.localInvoke(command);
  assert.is(store.commits.length, 1);
  const [inspected] = await system('ShopInspected');
  assert.is(inspected?.causationId, messageId);
});

test('what a receptor emits is not stored when it throws', async () => {
  const { dispatcher, system } = shopWith(undefined, {
    OpenShop: {
      handle: (_command, _signal, work) => {
        work.emit(ShopInspected.of({ by: 'Ada' }));
        throw new TypeError('closed');
      },
    },
  });
  await dispatcher.localInvoke(command).catch(() => undefined);
  assert.equal(await system(), []);
});

test('an invalid system event fails its command, naming the field, and nothing is stored', async () => {
  const { dispatcher, store } = shopWith(undefined, {
    OpenShop: {
      handle: (_command, _signal, work) => {
        work.emit(Reflect.construct(AccessDenied, [{}]) as AccessDenied);
        return 'never';
      },
    },
  });
  const problem = await problemOf(() => dispatcher.localInvoke(command));
  assert.match(problem.message, /AccessDenied: \/resourceType is required/);
  assert.equal(store.commits, []);
});

test('without system events what a receptor emits is nothing', async () => {
  const store = new WatchedStore();
  const { dispatcher, system } = over(addService().with(eventStore(store)), store, {
    OpenShop: {
      handle: (_command, _signal, work) => {
        work.emit(ShopInspected.of({ by: 'Ada' }));
        return 'opened';
      },
    },
  });
  await dispatcher.localInvoke(command);
  assert.equal(await system(), []);
});

test('CommandFailed is reported for a command that no endpoint is responsible for', async () => {
  const { dispatcher, reported } = shopWith(undefined, {
    OpenShop: { handle: () => Promise.reject(new TypeError('closed')) },
  });
  await dispatcher.localInvoke(command).catch(() => undefined);
  const [failed] = reported as CommandFailed[];
  assert.is(reported.length, 1);
  assert.is(failed?.commandType, 'OpenShop');
  assert.is(failed?.receptorName, 'OpenShopReceptor');
  assert.is(failed?.recovered, false);
  assert.is(failed?.error.message, 'closed');
});

test('a deferred task that fails is reported as HookFailed and changes no answer', async () => {
  const { dispatcher, reported } = shopWith(undefined, {
    OpenShop: {
      handle: (_command, _signal, work) => {
        work.defer(() => Promise.reject(new TypeError('late')));
        return 'opened';
      },
    },
  });
  assert.is(await dispatcher.localInvoke(command), 'opened');
  await new Promise(setImmediate);
  const [failed] = reported as HookFailed[];
  assert.is(failed?.hook, 'defer');
  assert.is(failed?.error.message, 'late');
});

test('hooks run after the commit, and a failing one changes no answer', async () => {
  const { service, dispatcher, store } = shopWith();
  const heights: Promise<number>[] = [];
  service.onSystemEvent('sys-audit', () => {
    heights.push(store.lastPosition(street));
    throw new TypeError('hook');
  });
  await dispatcher.localInvoke(command);
  assert.equal(await Promise.all(heights), [1, 1]);
});

test.run();
