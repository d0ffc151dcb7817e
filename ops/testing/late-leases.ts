import * as assert from 'uvu/assert';
import { until, untilPasses } from '../../runtime/kit/until.js';
import type { HostPair } from './followed-scene.js';

/** What the shop and the warehouse run: every kind of follower. */
const followers = [
  ['outbox', 'perspective/customers', 'process/shipping', 'reaction/send-receipt', 'timers'],
  ['inbox', 'outbox', 'perspective/far-orders', 'timers'],
];
const promisedMs = 2_000;

export const untilRenewed = (pair: HostPair): Promise<unknown> =>
  until(async () => (await pair.leases()).every(({ status }) => status === 'Healthy'));

/** Each kind of follower is reported, with the reason, no later than promised by the clock of the host. */
export async function untilLate(pair: HostPair, reason: string): Promise<void> {
  await untilPasses(async () => {
    const both = await pair.leases();
    assert.equal(
      both.map(({ detail }) => /not renewed: (.*?)\./.exec(detail ?? '')?.[1]?.split(', ')),
      followers,
    );
    for (const { detail } of both) assert.match(detail ?? '', reason);
  });
  for (const { status, detail, since } of await pair.leases()) {
    assert.is(status, 'Degraded');
    const dueAt = /Due at (\S+)/.exec(detail ?? '')?.[1] ?? '';
    const lateMs = Date.parse(since) - Date.parse(dueAt);
    assert.ok(lateMs <= promisedMs, `${lateMs} ms`);
  }
}
