import * as assert from 'uvu/assert';
import type { CommandFailed, HookFailed } from '../../contracts/events/error.js';
import { AccessDenied } from '../../contracts/events/access.js';
import { Problem } from '../../contracts/problems.js';
import type { UnitOfWork } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { addService } from '../../runtime/service/service.js';
import { eventStore } from '../../runtime/service/register-event-store.js';
import { RecordingEventStore } from '../../runtime/testing/recording-event-store.js';
import { addSystemEventAuditing } from '../add-system-events-and-auditing.js';
import { dispatcherFor } from './create-dispatcher.js';
import {
  OpenShop,
  shopOver,
  PayRentCommand,
  readers,
  type Shop,
  ShopInspected,
  ShopOpened,
  shopWith,
  street,
} from '../testing/bakery-service.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';

const test = suite('service dispatcher');
const command = OpenShop.of({ street: 'High' });

test('what a receptor emits is stored with its unit, with its origin', async () => {
  const { dispatcher, store, system } = shopWith(undefined, {
    OpenShop: {
      handle: (_command, work) => {
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
      handle: (_command, work) => {
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
      handle: (_command, work) => {
        work.emit(Reflect.construct(AccessDenied, [{}]) as AccessDenied);
        return 'never';
      },
    },
  });
  const problem = await thrownBy(() => dispatcher.localInvoke(command));
  assert.match(problem.message, /AccessDenied: \/resourceType is required/);
  assert.equal(store.commits, []);
});

test('without system events, what a receptor emits is dropped', async () => {
  const store = new RecordingEventStore();
  const { dispatcher, system } = shopOver(addService().with(eventStore(store)), store, {
    OpenShop: {
      handle: (_command, work) => {
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

/** A shop whose handler continues after the request was given up, and its outcome. */
async function givenUp(reason: Problem, late: (shop: Shop, work: UnitOfWork) => unknown): Promise<Shop> {
  let goOn = () => undefined as void;
  const shop: Shop = shopWith(undefined, {
    OpenShop: {
      handle: async (_command, work) => {
        work.append(street, ShopOpened.of({ street: 'High' }));
        await new Promise<void>((resolve) => void (goOn = resolve));
        return late(shop, work);
      },
    },
  });
  const request = new AbortController();
  const answer = shop.dispatcher.localInvoke(command, request.signal);
  request.abort(reason);
  assert.is(await thrownBy(() => answer), reason);
  goOn();
  for (let n = 0; n < 20; n++) await new Promise(setImmediate);
  return shop;
}

for (const code of ['deadline-exceeded', 'client-gone']) {
  test(`a handler that returns after ${code} leaves one CommandFailed and nothing else`, async () => {
    const { reported, store, system } = await givenUp(new Problem(code), () => 'opened');
    assert.equal([store.commits, await system()], [[], []]);
    assert.equal(
      reported.map((message) => (message as CommandFailed).error.code),
      [code],
    );
  });
}

test('what a handler invokes after its request was given up is refused and not reported again', async () => {
  const { reported, store } = await givenUp(new Problem('deadline-exceeded'), ({ dispatcher }, work) =>
    dispatcher.localInvoke(PayRentCommand.of({ amount: '1' }), undefined, work.context),
  );
  assert.equal([store.commits, reported.length], [[], 1]);
});

test('a behavior that continues after the abort audits nothing', async () => {
  const { reported, store, system } = await givenUp(new Problem('client-gone'), async (shop, work) => {
    await shop.service.emitter.emitCommandAudited(command, 'opened', 'r', work.context);
  });
  assert.equal([store.commits, await system(), reported.length], [[], [], 1]);
});

test('responseType is the declared name of the result, however the command was invoked', async () => {
  const store = new RecordingEventStore();
  const service = addService()
    .with(eventStore(store))
    .with(addSystemEventAuditing((o) => o.enableAudit()));
  const dispatcher = dispatcherFor(service, { store, report: () => undefined });
  const pay = (signal: AbortSignal, work: UnitOfWork) =>
    dispatcher.localInvoke(PayRentCommand.of({ amount: '1' }), signal, work.context);
  dispatcher.register([
    {
      command: OpenShop,
      receptor: { handle: async (_command, work) => ({ paid: await pay(work.signal, work) }) },
      resultName: 'ShopRef',
    },
    { command: PayRentCommand, receptor: { handle: () => ({}) }, resultName: 'Receipt' },
  ]);
  await dispatcher.localInvoke(command);
  const audits = await readers(store).recorded('CommandAudited');
  assert.equal(
    audits.map(({ responseType }) => responseType),
    ['Receipt', 'ShopRef'],
  );
});

test('a deferred task that fails is reported as HookFailed and changes no answer', async () => {
  const { dispatcher, reported } = shopWith(undefined, {
    OpenShop: {
      handle: (_command, work) => {
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
