import * as assert from 'uvu/assert';
import type { AnyEffect } from '../../contracts/effect.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { until } from '../../runtime/kit/until.js';
import { gateway, Nudge, Remind, SendSms, smsGateway, textingShop } from '../testing/texting-shop.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { readConfig } from '../config/config.js';
import { type Host, startHost } from './host.js';

const test = suite('effects of hosts that are replaced');

interface TextingHosts {
  /** Starts a host of a definition, which may be of another version than the others. */
  readonly start: (definition: ServiceDefinition) => Promise<Host>;
  readonly rows: (text: string) => ReturnType<typeof rowsOf>;
}

/** Provides hosts of one store that need not have the same effects. */
const withTextingHosts = (body: (hosts: TextingHosts) => Promise<void>): Promise<void> =>
  withStore(async (url) => {
    const config = readConfig({ SVC_PORT: '0', DATABASE_URL: url, SVC_LOG: 'silent' });
    const hosts: Host[] = [];
    try {
      await body({
        start: async (definition) => {
          const host = await startHost(definition, config);
          hosts.push(host);
          return host;
        },
        rows: (text) => rowsOf(url, text),
      });
    } finally {
      for (const host of hosts) await host.stop();
    }
  });

const remind = (local: Dispatcher | undefined, orderId: string, to = '1'): Promise<unknown> =>
  Promise.resolve(local?.localInvoke(Remind.of({ orderId, to })));

/** Waits until its call is ended from outside. */
const untilAborted = ({ signal }: { readonly signal: AbortSignal }): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

const other = gateway();
const effect = smsGateway(other);
test.before.each(() => {
  other.calls.length = 0;
  other.answer = ({ id }) => `sms ${id}`;
});

const locals = new Map<string, Dispatcher>();
/** A version of the shop, with the effect or without it. */
const shop = (
  version: string,
  effects?: readonly { readonly command: typeof SendSms; readonly effect: AnyEffect }[],
): ServiceDefinition => ({
  ...textingShop(
    effect,
    (local) => void locals.set(version, local),
    effects === undefined ? {} : { effects },
  ),
  version,
});
const waiting = `SELECT name, parked, attempts, claimed_by IS NULL FROM svc_timers WHERE kind = 'effect'`;

test('a host whose version does not know an effect leaves its requests to those that do', () =>
  withTextingHosts(async ({ start, rows }) => {
    const orderId = newUuid();
    other.answer = untilAborted;
    const newer = await start(shop('2.0.0'));
    await remind(locals.get('2.0.0'), orderId);
    await until(() => other.calls.length > 0);
    await start(shop('1.0.0', []));
    await newer.stop();
    // A timer that it fires shows that it does what is due.
    await locals.get('1.0.0')?.localInvoke(Nudge.of({ orderId }));
    await until(async () => (await rows(`SELECT 1 FROM svc_events WHERE event_type = 'Nudged'`)).length > 0);
    assert.equal(await rows(waiting), [['sms-gateway', 'false', '0', 'true']]);
    other.answer = () => 'sms';
    await start(shop('3.0.0'));
    await until(async () => (await rows(waiting)).length === 0);
    assert.equal(await rows(`SELECT data ->> 'smsId' FROM svc_events WHERE event_type = 'SmsSent'`), [
      ['sms'],
    ]);
    assert.is(new Set(other.calls.map(({ id }) => id)).size, 1);
  }));

test('a request that a version cannot read is parked, named, and done when a version is back that can', () =>
  withTextingHosts(async ({ start, rows }) => {
    class SendText extends SendSms {}
    other.answer = untilAborted;
    const first = await start(shop('1.0.0'));
    await remind(locals.get('1.0.0'), newUuid());
    await until(() => other.calls.length > 0);
    const second = await start(shop('2.0.0', [{ command: SendText, effect }]));
    await first.stop();
    const error = 'SELECT error FROM svc_timers WHERE parked';
    await until(async () => (await rows(error)).length > 0);
    assert.equal(await rows(error), [
      ['request-version: sms-gateway does SendText, and it was asked to do SendSms.'],
    ]);
    await second.stop();
    other.answer = () => 'sms';
    await start(shop('1.0.0'));
    await until(async () => (await rows(waiting)).length === 0);
    assert.equal(await rows(`SELECT count(*) FROM svc_events WHERE event_type = 'SmsSent'`), [['1']]);
  }));

test('a long call that a restart interrupts is resumed on another host', () =>
  withTextingHosts(async ({ start, rows }) => {
    other.answer = async (call) => {
      if (call.last !== undefined) return JSON.stringify(call.last);
      await call.progress({ uploaded: 1 });
      await call.progress({ uploaded: 2 });
      return untilAborted(call);
    };
    const first = await start(shop('1.0.0'));
    await remind(locals.get('1.0.0'), newUuid());
    const kept = `SELECT progress ->> 'uploaded' FROM svc_timers WHERE kind = 'effect'`;
    await until(async () => (await rows(kept))[0]?.[0] === '2');
    await start(shop('1.0.0'));
    await first.stop();
    await until(async () => (await rows(waiting)).length === 0);
    assert.equal(await rows(`SELECT data ->> 'smsId' FROM svc_events WHERE event_type = 'SmsSent'`), [
      ['{"uploaded":2}'],
    ]);
    assert.equal(
      other.calls.map(({ attempt }) => attempt),
      [1, 1],
    );
  }));

test('of a rate of 50 a second no second sees more than 55 calls, also when another host takes over', () =>
  withTextingHosts(async ({ start, rows }) => {
    const begun: number[] = [];
    other.answer = () => {
      begun.push(performance.now());
      return 'sms';
    };
    const limited = (): ServiceDefinition =>
      shop('1.0.0', [
        { command: SendSms, effect: smsGateway(other, { rate: { calls: 50, per: 'PT1S' }, perLane: 64 }) },
      ]);
    const first = await start(limited());
    const local = locals.get('1.0.0');
    await Promise.all(Array.from({ length: 150 }, () => remind(local, newUuid())));
    await until(() => begun.length > 60);
    await start(limited());
    await first.stop();
    await until(async () => (await rows(waiting)).length === 0);
    const most = Math.max(
      ...begun.map((from) => begun.filter((at) => at >= from && at < from + 1_000).length),
    );
    assert.ok(most <= 55, `${most} calls in a second`);
    assert.ok(begun.length >= 150);
  }));
