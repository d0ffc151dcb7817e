import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { RebuildMode } from '../../contracts/perspective.js';
import { sends, sharedHosts, watch, writeNote } from '../testing/live-hosts.js';
import { unreadable } from '../testing/live-notes.js';

const test = suite('live streams of a host');

const shared = sharedHosts({});
const service = () => shared.hosts[0]?.service;
const hostUrl = () => shared.hosts[0]?.url ?? '';
test.before(() => shared.start());
test.after(() => shared.stop());

const after = (id: string | undefined) => ({ 'last-event-id': id ?? '' });

test('a stream sends what changes and what is gone, and continues after the last event', async () => {
  const url = hostUrl();
  const [one, two] = [newUuid(), newUuid()];
  await writeNote(url, { noteId: one, n: 1 });
  const list = await watch(url, '/notes/live');
  const row = await watch(url, `/notes/${one.toUpperCase()}/live`);
  await writeNote(url, { noteId: one, n: 2 });
  await sends(row, `changed ${one} 2`);
  await writeNote(url, { noteId: two, n: 3 });
  await sends(list, `changed ${one} 2`, `changed ${two} 3`);
  const [first] = list.of('changed');
  assert.equal(first?.data, { id: one, row: { noteId: one, text: 'x', shelf: 'a', n: 2, userId: '' } });
  await list.close();
  await writeNote(url, { noteId: one, text: '' });
  await writeNote(url, { noteId: two, n: 4 });
  const again = await watch(url, '/notes/live', after(first?.id));
  await sends(again, `gone ${one}`, `changed ${two} 4`);
  await sends(row, `changed ${one} 2`, `gone ${one}`);
});

test('a client that reads the row with the id live, and accepts no stream, does not wait for one', async () => {
  for (const path of ['/notes/live', '/notes/x/live'])
    assert.is((await fetch(hostUrl() + path, { headers: { accept: 'application/json' } })).status, 406, path);
});

test('a row that leaves the filter is gone, in rows of one stream and of many', async () => {
  const url = hostUrl();
  const noteId = newUuid();
  const onShelf = await watch(url, '/notes/live?filter[shelf]=b&filter[shelf]=a');
  const numbered = await watch(url, '/notes/live?filter[n][gte]=5&filter[n][lt]=6&filter[shelf][contains]=A');
  const shelves = await watch(url, '/shelves/live?filter[n]=5');
  const shelf = await watch(url, '/shelves/a/live');
  const [changed, gone] = [`changed ${noteId}`, `gone ${noteId}`];
  await writeNote(url, { noteId, n: 5 });
  await sends(numbered, `${changed} 5`);
  await sends(shelves, 'changed a 5');
  await writeNote(url, { noteId, n: 6 });
  await sends(onShelf, `${changed} 5`, `${changed} 6`);
  await sends(numbered, `${changed} 5`, gone);
  await sends(shelves, 'changed a 5', 'gone a');
  await writeNote(url, { noteId, n: 6, shelf: 'c' });
  await sends(onShelf, `${changed} 5`, `${changed} 6`, gone);
  await writeNote(url, { noteId, n: 5 });
  await sends(numbered, `${changed} 5`, gone, `${changed} 5`);
  await sends(shelves, 'changed a 5', 'gone a', 'changed a 5');
  await sends(shelf, 'changed a 5', 'changed a 6', 'changed a 5');
  await writeNote(url, { noteId, text: '' });
  await sends(onShelf, `${changed} 5`, `${changed} 6`, gone, `${changed} 5`, gone);
  await sends(numbered, `${changed} 5`, gone, `${changed} 5`, gone);
  await sends(shelves, 'changed a 5', 'gone a', 'changed a 5', 'gone a');
  await sends(shelf, 'changed a 5', 'changed a 6', 'changed a 5', 'gone a');
});

test('after a rebuild and after the release of a parked row, the list is to be read again', async () => {
  const url = hostUrl();
  const noteId = newUuid();
  await writeNote(url, { noteId, n: 1 });
  const list = await watch(url, '/notes/live');
  for (const [n, mode] of [
    RebuildMode.BlueGreen,
    RebuildMode.InPlace,
    RebuildMode.SelectedStreams,
  ].entries()) {
    const streams = mode === RebuildMode.SelectedStreams ? { streams: [noteId] } : {};
    await service()?.rebuild('notes', { mode, ...streams });
    await list.has(n + 1, 'reset');
  }
  const before = list.lastId;
  await writeNote(url, { noteId, text: unreadable.text }).catch(() => undefined);
  unreadable.isAllowed = true;
  try {
    await service()?.parts.perspectives?.release('notes');
    await list.has(4, 'reset');
  } finally {
    unreadable.isAllowed = false;
  }
  await writeNote(url, { noteId, n: 9 });
  await list.has(1, 'changed');
  const missed = await watch(url, '/notes/live', after(before));
  await missed.has(1, 'reset');
  assert.is(missed.events.length, 1);
});

test('an id of another model, beyond the log, or from long ago means: read the list again', async () => {
  const url = hostUrl();
  await writeNote(url, { noteId: newUuid() });
  const { lastId } = await watch(url, '/notes/live');
  const [position = '', model = ''] = lastId.split('.');
  let at = position;
  for (const id of [
    `${position}.${Number(model) - 1}`,
    `${Number(position) + 1_000}.${model}`,
    `999999999999999.${model}`,
    '999999999999999',
  ]) {
    const reader = await watch(url, '/notes/live', after(id));
    const [reset] = await reader.has(1, 'reset');
    const [now = '', ofModel = ''] = reset?.id.split('.') ?? [];
    // The stream may have followed the log further meanwhile.
    assert.equal([Number(now) >= Number(at), ofModel], [true, model], id);
    at = now;
  }
  const resumed = await watch(url, '/notes/live', after(at));
  await writeNote(url, { noteId: newUuid() });
  assert.equal((await resumed.has(1, 'changed')).length, 1, 'a position alone resumes, too');
  for (const id of ['x', '-1.0', '1.', '1e9.1', '9'.repeat(400)])
    assert.is((await fetch(`${url}/notes/live`, { headers: after(id) })).status, 400, id);
  for (const path of ['/notes/live?page=2', '/notes/live?filter[secret]=1', '/notes/a/live?filter[n]=1'])
    assert.is((await fetch(url + path)).status, 400, path);
  assert.is((await fetch(`${url}/notes/%00/live`)).status, 404);
  const hostile = await watch(url, `/notes/${encodeURIComponent("a'\n\nevent: closed\r\ndata:{}")}/live`);
  assert.equal(hostile.events.length, 1);
  assert.is((await fetch(`${url}/notes/live`, { method: 'POST' })).status, 405);
});
