import * as assert from 'uvu/assert';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { NoOpSystemEventEmitter } from '../../runtime/service/no-op-emitter.js';
import { CommandAuditBehavior } from './command-audit-behavior.js';
import { OpenShop, shopWith } from '../testing/bakery-service.js';

const test = suite('command audit');
const command = OpenShop.of({ street: 'High' });

test('the response passes through unchanged', async () => {
  const behavior = new CommandAuditBehavior(
    new NoOpSystemEventEmitter(),
    new SystemEventOptions().enableAudit(),
  );
  const response = { a: 1 };
  assert.is(await behavior.handle(command, async () => response), response);
});

test('when the audit cannot be stored, the command fails: none is acknowledged without its audit', async () => {
  class Broken extends NoOpSystemEventEmitter {
    override async emitCommandAudited(): Promise<void> {
      throw new TypeError('the store is gone');
    }
  }
  const behavior = new CommandAuditBehavior(new Broken(), new SystemEventOptions().enableAudit());
  const act = behavior.handle(command, async () => 'done');
  assert.instance(await act.catch((error: unknown) => error), TypeError);
});

test('a behavior around it that fails after the handler leaves neither event nor audit', async () => {
  const { service, dispatcher, system, store } = shopWith();
  service.parts.behaviors.unshift({
    handle: async (_command, next) => {
      await next();
      throw new TypeError('refused at the end');
    },
  });
  await dispatcher.localInvoke(command).catch(() => undefined);
  assert.equal(await system(), []);
  assert.equal(store.commits, []);
});

test('a behavior inside it decides what the response is', async () => {
  const { service, dispatcher, recorded } = shopWith();
  class Wrapped {}
  service.parts.behaviors.push({
    handle: async <T>(_command: unknown, next: () => Promise<T>) => {
      await next();
      return new Wrapped() as T;
    },
  });
  await dispatcher.localInvoke(command);
  assert.is((await recorded('CommandAudited'))[0]?.['responseType'], 'Wrapped');
});
