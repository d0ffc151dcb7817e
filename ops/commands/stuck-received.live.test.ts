import * as assert from 'uvu/assert';
import { signingStore, withReceiver } from '../../actors/testing/receiver-scene.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { inboundBytes } from '../../runtime/testing/foreign-events.js';
import { svcInProcess } from '../testing/in-process-cli.js';

const test = suite('svc stuck, of received messages');

test('--tenant finds the received messages of a tenant', () =>
  withReceiver('pin', async ({ url, handle }) => {
    const bakery = signingStore();
    const of = (tenantId: string | null) => bakery.event(newUuid(), { scope: { tenantId } });
    for (const event of [of('acme'), of('other'), of(null)])
      await handle(bakery.signed(event), bakery.signed({ ...event, messageId: newUuid() }));
    await handle(inboundBytes('svc.events.Baked', Buffer.from('garbage')));
    const listed = async (...args: string[]) => {
      const { stdout } = await svcInProcess(['stuck', 'list', ...args, '--json'], { DATABASE_URL: url });
      const entries = JSON.parse(stdout) as readonly Readonly<Record<string, string | null>>[];
      return entries.map(({ id, tenant }) => [id, tenant]);
    };
    assert.equal(await listed(), [
      ['inbox/dead-letter@1', 'acme'],
      ['inbox/dead-letter@2', 'other'],
      ['inbox/dead-letter@3', null],
      ['inbox/dead-letter@4', null],
    ]);
    assert.equal(await listed('--tenant', 'acme'), [['inbox/dead-letter@1', 'acme']]);
  }));
