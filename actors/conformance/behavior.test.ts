import * as assert from 'uvu/assert';
import type { AuditContext, SystemEventEmitter } from '../../contracts/system-event-emitter.js';
import type { Command } from '../../contracts/message.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { CommandAuditBehavior } from '../commands/command-audit-behavior.js';
import {
  envelope,
  OpenShop,
  PayRentCommand,
  PeekInside,
  ShopInspected,
  ShopOpened,
  shopWith,
} from '../testing/bakery-service.js';

const test = suite('conformance: command audit pipeline behavior');

interface Emitted {
  readonly command: Command;
  readonly response: unknown;
  readonly receptorName: string;
  readonly context: AuditContext | undefined;
}

function behaviorWith(options = new SystemEventOptions().enableCommandAudit(), excluded = false) {
  const happened: string[] = [];
  const emitted: Emitted[] = [];
  const emitter: SystemEventEmitter = {
    emit: async () => undefined,
    emitEventAudited: async () => undefined,
    emitCommandAudited: async (command, response, receptorName, context) => {
      happened.push('emit');
      emitted.push({ command, response, receptorName, context });
    },
    shouldExcludeFromAudit: () => {
      happened.push('excluded?');
      return excluded;
    },
  };
  const next = async () => {
    happened.push('next');
    return { done: true };
  };
  return { behavior: new CommandAuditBehavior(emitter, options), happened, emitted, next };
}

const command = OpenShop.of({ street: 'High' });

test('order: next first, then the exclusion, then the emission, then the response', async () => {
  const { behavior, happened, next } = behaviorWith();
  assert.equal(await behavior.handle(command, next), { done: true });
  assert.equal(happened, ['next', 'excluded?', 'emit']);
});

test('when CommandAuditEnabled is false the response is returned and the emitter is not called', async () => {
  const { behavior, happened, next } = behaviorWith(new SystemEventOptions().enableEventAudit());
  assert.equal(await behavior.handle(command, next), { done: true });
  assert.equal(happened, ['next']);
});

test('CommandAuditEnabled is read after the handler, not before it', async () => {
  const options = new SystemEventOptions();
  const { behavior, happened } = behaviorWith(options);
  await behavior.handle(command, async () => options.enableCommandAudit());
  assert.equal(happened, ['excluded?', 'emit']);
});

test('when the emitter excludes the command type, the response is returned and nothing is emitted', async () => {
  const { behavior, happened, next } = behaviorWith(undefined, true);
  assert.equal(await behavior.handle(command, next), { done: true });
  assert.equal(happened, ['next', 'excluded?']);
});

test('the receptor name is extracted from context metadata', async () => {
  const { behavior, emitted, next } = behaviorWith();
  await behavior.handle(command, next, { metadata: { receptorName: 'ShopKeeper' } });
  await behavior.handle(command, next, { metadata: new Map([['receptorName', 'ShopKeeper']]) });
  assert.equal(
    emitted.map(({ receptorName }) => receptorName),
    ['ShopKeeper', 'ShopKeeper'],
  );
});

test('without a name in metadata it is the command name without a trailing Command, plus Receptor', async () => {
  const { behavior, emitted, next } = behaviorWith();
  await behavior.handle(command, next);
  await behavior.handle(PayRentCommand.of({ amount: '1' }), next, { metadata: {} });
  await behavior.handle(command, next, { metadata: { receptorName: '' } });
  await behavior.handle(command, next, { metadata: { receptorName: 7 } });
  assert.equal(
    emitted.map(({ receptorName }) => receptorName),
    ['OpenShopReceptor', 'PayRentReceptor', 'OpenShopReceptor', 'OpenShopReceptor'],
  );
});

test('command, response and context are passed to the emitter unchanged', async () => {
  const { behavior, emitted, next } = behaviorWith();
  const context = { correlationId: 'c' };
  await behavior.handle(command, next, context);
  assert.is(emitted[0]?.command, command);
  assert.equal(emitted[0]?.response, { done: true });
  assert.is(emitted[0]?.context, context);
});

test('when the handler throws, its error passes through and nothing is audited', async () => {
  const { behavior, happened } = behaviorWith();
  const thrown = new TypeError('closed');
  const act = behavior.handle(command, () => Promise.reject(thrown));
  assert.is(await act.catch((error: unknown) => error), thrown);
  assert.equal(happened, []);
});

test('CommandAudited only when the handler returned and the unit committed', async () => {
  const failing = shopWith(undefined, {
    OpenShop: { handle: () => Promise.reject(new TypeError('closed')) },
  });
  await failing.dispatcher.localInvoke(command).catch(() => undefined);
  assert.equal(await failing.system(), []);

  const conflicting = shopWith(undefined, {
    OpenShop: {
      handle: (_command, work) => {
        work.append('018f0000-0000-7000-8000-0000000000aa', [], { expectedPosition: 9 });
        return 'never';
      },
    },
  });
  const refusal = await conflicting.dispatcher.localInvoke(command).catch((error: unknown) => error);
  assert.is((refusal as { code: string }).code, 'stream-conflict');
  assert.equal(await conflicting.system(), []);
});

test('a command is committed together with its audit, and audited even if it stores nothing else', async () => {
  const { dispatcher, store, recorded } = shopWith();
  await dispatcher.localInvoke(command);
  await dispatcher.localInvoke(PayRentCommand.of({ amount: '1' }));
  assert.equal(
    store.commits.map(({ events, records }) => [events.length, records.map((r) => r.envelope.messageType)]),
    [
      [1, ['EventAudited', 'CommandAudited']],
      [0, ['CommandAudited']],
    ],
  );
  assert.is((await recorded('CommandAudited')).length, 2);
});

test('AuditMode governs events: under OptIn commands are audited unless Exclude = true', async () => {
  const { dispatcher, recorded } = shopWith((o) => {
    o.enableAudit().auditMode = 'OptIn';
  });
  await dispatcher.localInvoke(command);
  await dispatcher.localInvoke(new PeekInside());
  assert.equal(
    (await recorded('CommandAudited')).map((audited) => audited['commandType']),
    ['OpenShop'],
  );
  assert.equal(await recorded('EventAudited'), []);
});

test('a command that is retried after a conflict is audited once', async () => {
  let tries = 0;
  const { dispatcher, recorded, store } = shopWith(undefined, {
    OpenShop: {
      retryOnConflict: 2,
      handle: async (_command, work) => {
        const stream = '018f0000-0000-7000-8000-0000000000aa';
        for await (const _ of work.read(stream));
        if (tries++ === 0) await store.append(stream, { ...other, messageId: stream });
        work.append(stream, []);
        work.emit(inspected());
        return 'opened';
      },
    },
  });
  await dispatcher.localInvoke(command);
  assert.is(tries, 2);
  assert.is((await recorded('CommandAudited')).length, 1);
  assert.is((await recorded('ShopInspected')).length, 1);
});

const other = envelope(ShopOpened.of({ street: 'other' }));
const inspected = () => ShopInspected.of({ by: 'Ada' });
