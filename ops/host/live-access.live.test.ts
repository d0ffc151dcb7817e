import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { sends, watch, withLiveHosts, writeNote } from '../testing/live-hosts.js';
import { guardedNotes } from '../testing/live-notes.js';
import { person } from '../testing/live-people.js';
import type { LiveReader } from '../testing/live-reader.js';

const test = suite('access to live streams');

test('nobody learns of a row that they could not read', () =>
  withLiveHosts({ definition: guardedNotes }, async ([{ url } = { url: '' }]) => {
    const [ann, bob, eve] = [person('ann'), person('bob'), person('eve', 'south')];
    for (const path of ['/notes/live', '/notes/x/live', '/own-notes/live'])
      assert.equal(
        [
          (await fetch(url + path)).status,
          (await fetch(url + path, { headers: person('joe', 'north', []) })).status,
        ],
        [401, 403],
        path,
      );
    const noteId = newUuid();
    const paths = ['/notes/live', '/own-notes/live', '/addressed-notes/live', `/own-notes/${noteId}/live`];
    const of = async (who: Record<string, string>) => Promise.all(paths.map((path) => watch(url, path, who)));
    const [byAnn, byBob, byEve] = [await of(ann), await of(bob), await of(eve)];
    const [one, two, gone] = [`changed ${noteId} 1`, `changed ${noteId} 2`, `gone ${noteId}`];
    const each = async (readers: readonly LiveReader[], ...sent: readonly (readonly string[])[]) => {
      for (const [n, reader] of readers.entries()) await sends(reader, ...(sent[n] ?? []));
    };
    await writeNote(url, { noteId, n: 1, userId: 'ann', text: 'ann: hello' }, ann);
    await each(byAnn, [one], [one], [one], [one]);
    await each(byBob, [one], [], [], []);
    await writeNote(url, { noteId, n: 2, userId: 'bob', text: 'bob: hello' }, ann);
    await each(byAnn, [one, two], [one, gone], [one, gone], [one, gone]);
    await each(byBob, [one, two], [two], [two], [two]);
    // Another tenant knows the stream, but neither changes nor sees its row.
    await writeNote(url, { noteId, n: 3, userId: 'eve', text: '' }, eve);
    await writeNote(url, { noteId, n: 4, userId: 'bob', text: '' }, bob);
    await each(byBob, [one, two, gone], [two, gone], [two, gone], [two, gone]);
    const own = newUuid();
    await writeNote(url, { noteId: own, n: 5, userId: 'eve', text: 'eve: end' }, eve);
    const end = `changed ${own} 5`;
    await each(byEve, [end], [end], [end], []);
    await each(byAnn, [one, two, gone], [one, gone], [one, gone], [one, gone]);
    for (const reader of [...byAnn, ...byBob, ...byEve]) await reader.close();
  }));

test('a stream ends when the caller may no longer read, and not before', () =>
  withLiveHosts({ definition: guardedNotes }, async ([host], _start, databaseUrl) => {
    const url = host?.url ?? '';
    const assign = (userId: string, permissions: string) =>
      rowsOf(
        databaseUrl,
        `INSERT INTO svc_role_assignments(tenant_id, user_id, roles, permissions)
          VALUES ('north', '${userId}', '{}', '${permissions}')
          ON CONFLICT (tenant_id, user_id) DO UPDATE SET permissions = excluded.permissions`,
      );
    for (const userId of ['ann', 'bob']) await assign(userId, '{notes:read}');
    const [ann, bob] = [person('ann', 'north', []), person('bob', 'north', [])];
    await until(async () => {
      const statuses = await Promise.all([ann, bob].map((headers) => fetch(`${url}/notes`, { headers })));
      return statuses.every(({ status }) => status === 200);
    });
    const [byAnn, byBob] = [await watch(url, '/notes/live', ann), await watch(url, '/notes/live', bob)];
    await assign('bob', '{}');
    await byBob.ended();
    assert.equal(
      byBob.of('closed').map(({ data }) => data),
      [{ reason: 'permission' }],
    );
    assert.is(byAnn.isEnded, false);
    await byAnn.close();
  }));
