import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { KeyWrapper } from '../../contracts/sealing.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { AuditPolicy } from '../audit/audit-policy.js';
import { systemRecord } from '../audit/system-record.js';
import type { Database } from '../database/database.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { thrownBy } from '../testing/thrown-by.js';
import { masterKeyWrapper } from './master-key.js';
import { PostgresSubjectKeys } from './postgres-subject-keys.js';
import type { SubjectKey } from './sealed-text.js';
import { type MasterRotation, rotateMasterKey } from './rotate-master-key.js';

const test = suite('rotation of the master key');

const policy = new AuditPolicy(new SystemEventOptions());
const editor = {
  changedBy: 'ann',
  host: 'cli',
  recordOf: (message: Parameters<typeof systemRecord>[0]) => systemRecord(message, {}, policy),
};
const newMaster = () => masterKeyWrapper(randomBytes(32));
const names = (count: number) => Array.from({ length: count }, (_, n) => `subject ${n}`);

interface Scene {
  readonly owner: Database;
  readonly first: KeyWrapper;
  /** The keys as a host with these master keys has them. */
  readonly host: (wrapper: KeyWrapper, old?: KeyWrapper) => PostgresSubjectKeys;
  readonly rotate: (
    wrapper: KeyWrapper,
    old: KeyWrapper | undefined,
    how?: Partial<MasterRotation>,
  ) => ReturnType<typeof rotateMasterKey>;
  readonly rows: (text: string) => Promise<readonly (readonly (string | null)[])[]>;
}

/** A store with the keys of this many subjects. */
const withKeys = (count: number, body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ connect }) => {
    const [owner, first] = [connect({ owner: true }), newMaster()];
    const host: Scene['host'] = (wrapper, old) => new PostgresSubjectKeys(connect(), wrapper, undefined, old);
    const keys = host(first);
    await keys.mustFit();
    for (const name of names(count)) await keys.keyOf(name);
    await body({
      owner,
      first,
      host,
      rotate: (wrapper, old, how = {}) =>
        rotateMasterKey(owner, {
          wrapper,
          old,
          editor,
          reason: 'yearly',
          isForced: false,
          progress: () => undefined,
          ...how,
        }),
      rows: (text) => owner.rows({ text }),
    });
  });

const hexOf = (key: SubjectKey | undefined) => key && Buffer.from(key.key).toString('hex');

const plain = async (keys: PostgresSubjectKeys, count: number): Promise<readonly (string | undefined)[]> => {
  const found: (string | undefined)[] = [];
  for (const name of names(count)) found.push(hexOf(await keys.keyOf(name)));
  return found;
};

test('every key is rewrapped and stays the same, and hosts start with the new master key alone', () =>
  withKeys(120, async ({ first, host, rotate, rows }) => {
    const [before, second] = [await plain(host(first), 120), newMaster()];
    const seen: number[] = [];
    const done = await rotate(second, first, { progress: (count) => void seen.push(count) });
    assert.equal(done, { master: 2, rotation: 'begun', rewrapped: 120, left: [], stopped: false });
    assert.equal(seen, [50, 100, 120]);
    const after = host(second);
    await after.mustFit();
    assert.equal(await plain(after, 120), before);
    assert.match((await thrownBy(() => host(first).mustFit())).message, 'The master key is not the one');
    const acted = `SELECT data ->> 'target', data -> 'details' ->> 'rotation', data -> 'details' ->> 'rewrapped', data ->> 'reason'
      FROM svc_system_events WHERE data ->> 'action' = 'store rotate-master' ORDER BY stream_position`;
    assert.equal(await rows(acted), [
      ['master key 2', 'begun', null, 'yearly'],
      ['master key 2', 'ended', '120', 'yearly'],
    ]);
    assert.is((await rotate(second, first)).rotation, 'done', 'run again, it has nothing to do');
    assert.is((await rows(acted)).length, 2);
  }));

test('before it begins, hosts with both master keys still wrap with the old one, which the other hosts need', () =>
  withKeys(1, async ({ first, host, rotate }) => {
    const second = newMaster();
    const both = host(second, first);
    await both.mustFit();
    const made = await both.keyOf('new');
    assert.equal((await host(first).keyOf('new'))?.key, made?.key);
    await rotate(second, first);
    await both.keyOf('newer');
    assert.equal((await host(second).keyOf('newer'))?.key, (await both.keyOf('newer'))?.key);
  }));

test('a host of the old configuration can add no key that the rotation would miss', () =>
  withKeys(3, async ({ first, host, rotate, rows }) => {
    const [second, old] = [newMaster(), host(first)];
    await old.keyOf('before');
    await rotate(second, first);
    const refused = await thrownBy(() => old.keyOf('after'));
    assert.is(refused.code, 'subject-keys-unavailable');
    assert.equal(await rows('SELECT count(*) FROM svc_subject_keys WHERE master = 1'), [['0']]);
    assert.ok(await old.keyOf('before'), 'what it has unwrapped stays readable');
  }));

test('a wrong old master key, or neither, is refused on one line, and nothing is changed', () =>
  withKeys(2, async ({ first, host, rotate, rows }) => {
    const state = 'SELECT subject, wrapped_key, master FROM svc_subject_keys ORDER BY subject';
    const before = await rows(state);
    const refused = await thrownBy(() => rotate(newMaster(), newMaster()));
    assert.match(
      refused.message,
      /set SVC_MASTER_KEY_OLD to the one that its hosts have; nothing has changed\.$/,
    );
    assert.equal(await rows(state), before);
    assert.equal(await rows(`SELECT 1 FROM svc_system_events WHERE event_type = 'OperatorActed'`), []);
    await host(first).mustFit();
  }));

test('a key that neither opens is named and left, hosts still start, and a later run rewraps it', () =>
  withKeys(60, async ({ owner, first, host, rotate, rows }) => {
    const [second, third] = [newMaster(), newMaster()];
    const [[subject, id, wrapped] = []] = await rows(
      `SELECT subject, key_id, encode(wrapped_key, 'hex') FROM svc_subject_keys WHERE subject <> '' LIMIT 1`,
    );
    const key = await first.unwrap(Buffer.from(wrapped ?? '', 'hex'), id ?? '');
    const text = 'UPDATE svc_subject_keys SET wrapped_key = $1 WHERE key_id = $2';
    await owner.rows({ text, values: [await third.wrap(key, id ?? ''), id] });
    const done = await rotate(second, first);
    assert.equal([done.rewrapped, done.left], [59, [subject]]);
    await host(second).mustFit();
    const again = await rotate(second, third);
    assert.equal([again.rotation, again.rewrapped, again.left], ['resumed', 1, []]);
    const [[now] = []] = await rows(
      `SELECT encode(wrapped_key, 'hex') FROM svc_subject_keys WHERE key_id = '${id}'`,
    );
    assert.equal(Buffer.from(await second.unwrap(Buffer.from(now ?? '', 'hex'), id ?? '')), Buffer.from(key));
  }));

test('a wrapper that opens nothing after the beginning is given up after 100 keys, and nothing is lost', () =>
  withKeys(160, async ({ first, host, rotate, rows }) => {
    const second = newMaster();
    let calls = 0;
    const failing: KeyWrapper = {
      ...second,
      wrap: (key, id) => (calls++ === 0 ? second.wrap(key, id) : Promise.resolve(randomBytes(60))),
    };
    const done = await rotate(failing, first);
    assert.equal([done.rewrapped, done.left.length, done.stopped], [0, 100, true]);
    assert.match(
      (await thrownBy(() => host(second).mustFit())).message,
      'set SVC_MASTER_KEY_OLD to that one',
    );
    assert.is((await plain(host(second, first), 160)).length, 160);
    assert.is((await rotate(second, first)).rewrapped, 160);
    assert.equal(await rows('SELECT count(*) FROM svc_subject_keys WHERE master <> 2'), [['0']]);
  }));

test('a subject that is forgotten while its key is rewrapped stays forgotten', () =>
  withKeys(3, async ({ owner, first, host, rotate }) => {
    const second = newMaster();
    let forgotten = false;
    const slow: KeyWrapper = {
      ...second,
      wrap: async (key, id) => {
        const wrapped = await second.wrap(key, id);
        if (!forgotten) await owner.rows({ text: "SELECT svc_forget_subject('subject 1')" });
        forgotten = true;
        return wrapped;
      },
    };
    assert.is((await rotate(slow, first)).rewrapped, 2);
    assert.is(await host(second).keyOf('subject 1'), undefined);
    assert.ok(await host(second).keyOf('subject 2'));
  }));

test('two commands at once rewrap every key once, and both end well', () =>
  withKeys(200, async ({ first, host, rotate, rows }) => {
    const [before, second] = [await plain(host(first), 200), newMaster()];
    const answers = await Promise.allSettled([rotate(second, first), rotate(second, first)]);
    for (const answer of answers)
      if (answer.status === 'rejected') assert.match(String(answer.reason), 'run it again');
    assert.is((await rotate(second, first)).rotation, 'done');
    assert.equal(await plain(host(second), 200), before);
    assert.equal(await rows('SELECT DISTINCT master FROM svc_subject_keys'), [['2']]);
  }));

test('the next rotation waits for one that has not ended, unless it is forced', () =>
  withKeys(120, async ({ first, host, rotate }) => {
    const [before, second, third] = [await plain(host(first), 120), newMaster(), newMaster()];
    const stop = () => {
      throw new Error('killed');
    };
    await rotate(second, first, { progress: stop }).catch(() => undefined);
    const refused = await thrownBy(() => rotate(third, second));
    assert.match(
      refused.message,
      'An earlier rotation has not ended: 70 keys still have the master key before',
    );
    assert.equal(await plain(host(second, first), 120), before);
    await rotate(third, second, { isForced: true });
    await rotate(third, first);
    assert.equal(await plain(host(third), 120), before);
  }));

test('a key wrapper of the service wraps every key again, and can take the place of a master key', () =>
  withKeys(4, async ({ first, host, rotate, rows }) => {
    const before = await plain(host(first), 4);
    const service = newMaster();
    assert.is((await rotate(service, first)).rewrapped, 4);
    const texts = 'SELECT wrapped_key FROM svc_subject_keys ORDER BY subject';
    const stored = await rows(texts);
    const again = await rotate(service, undefined);
    assert.equal([again.master, again.rotation, again.rewrapped], [3, 'begun', 4]);
    const now = await rows(texts);
    assert.ok(now.every(([text], n) => text !== stored[n]?.[0]));
    assert.equal(await plain(host(service), 4), before);
  }));

test('a store without keys has nothing to rotate, and says what to do', () =>
  withMigratedDatabase(async ({ connect }) => {
    const how = { editor, reason: 'yearly', isForced: false, progress: () => undefined };
    const owner = connect({ owner: true });
    const refused = await thrownBy(() =>
      rotateMasterKey(owner, { wrapper: newMaster(), old: newMaster(), ...how }),
    );
    assert.match(refused.message, 'start its hosts with the new SVC_MASTER_KEY alone');
  }));
