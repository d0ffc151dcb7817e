import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { grantOf, leaseMs, mustLose, withInbox } from '../testing/inbox-scene.js';
import { receivedLetters } from '../testing/received-letters.js';
import type { ReceivedDeadLetter } from './inbox.js';

const test = suite('received dead letters');

test('a dead letter is kept as received, once, however often it arrives', () =>
  withInbox(async ({ inbox, database }) => {
    const letter = {
      messageId: undefined,
      messageType: 'Baked',
      subject: 'svc.events.Baked',
      headers: { 'svc-host': 'far\0away' },
      body: Buffer.alloc((1 << 20) + 5, 7),
      error: 'invalid-message: garbage',
      fingerprint: '0123456789ab',
    };
    assert.equal(await inbox.storeDeadLetters([letter]), ['kept']);
    assert.equal(await inbox.storeDeadLetters([letter]), ['known']);
    assert.equal(await inbox.storeDeadLetters([{ ...letter, subject: 'svc.events.Sold' }]), ['kept']);
    const [row] = await database.rows({
      text: `SELECT attempts, length(body), bytes, headers ->> 'svc-host', follower FROM svc_stuck_work ORDER BY id LIMIT 1`,
    });
    assert.equal(row, ['2', String(1 << 20), String((1 << 20) + 5), 'faraway', 'inbox']);
  }));

const aLetter = (text: string): ReceivedDeadLetter => ({
  messageId: newUuid(),
  messageType: 'Baked',
  subject: 'svc.events.Baked',
  headers: {},
  body: Buffer.from(text),
  error: 'invalid-message: garbage',
  fingerprint: '0123456789ab',
});

test('beyond 10,000 dead letters none is kept, until there is room again', () =>
  withInbox(async ({ inbox, owner }) => {
    await owner.rows({ text: receivedLetters(9998) });
    const [one, two, three] = [aLetter('one'), aLetter('two'), aLetter('three')];
    assert.equal(await inbox.storeDeadLetters([one, one, two, three]), ['kept', 'known', 'kept', 'full']);
    assert.equal(await inbox.storeDeadLetters([three, two]), ['full', 'known']);
    await owner.rows({ text: "SELECT svc_resolve_dead_letters('{1}', 'discarded', 'ada', 'stale')" });
    assert.equal(await inbox.storeDeadLetters([three]), ['kept']);
  }));

test('hosts that died handling a message alone are counted, each once, until one finishes it', () =>
  withInbox(async ({ inbox, another }) => {
    const [poison, other] = [aLetter('poison'), aLetter('other')];
    assert.is(await inbox.beginAttempt(poison), 1);
    assert.is(await inbox.beginAttempt(poison), 1, 'the same host again');
    await mustLose(another.beginAttempt(poison));
    await inbox.acquireLease(0);
    await another.acquireLease(leaseMs);
    assert.equal([await another.beginAttempt(poison), await another.beginAttempt(other)], [2, 1]);
    await another.endAttempt(poison);
    assert.is(await another.beginAttempt(poison), 1);
  }));

test('a replayed dead letter is handed out as it was received', () =>
  withInbox(async ({ inbox, database }) => {
    const body = Buffer.from([1, 2, 255]);
    const letter = {
      messageId: newUuid(),
      messageType: 'Baked',
      subject: 'svc.events.Baked',
      headers: { 'svc-host': 'far-away' },
      body,
      error: 'place-taken: so it is',
      fingerprint: '0123456789ab',
    };
    await inbox.storeDeadLetters([letter]);
    await database.rows({ text: "SELECT svc_resolve_dead_letters('{1}', 'retrying', 'ada', NULL)" });
    assert.equal(grantOf(await inbox.acquireLease(leaseMs)), {
      held: true,
      remainingMs: undefined,
      hasReplays: true,
      rereads: 0,
      streams: {},
    });
    const [replay] = await inbox.pendingReplays();
    assert.ok(replay);
    const { subject, headers } = replay;
    assert.equal([subject, headers], ['svc.events.Baked', { 'svc-host': 'far-away' }]);
    assert.ok(body.equals(replay.body));
    await inbox.markReplayed([replay]);
    assert.equal(grantOf(await inbox.acquireLease(leaseMs)), {
      held: true,
      remainingMs: undefined,
      hasReplays: false,
      rereads: 0,
      streams: {},
    });
  }));
