import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { openRaw } from '../../endpoints/testing/http-client.js';
import { until } from '../../runtime/kit/until.js';
import { sends, sharedHosts, watch, writeNote } from '../testing/live-hosts.js';

const test = suite('bounds of live streams');

const shared = sharedHosts({ count: 2, env: { SVC_LIVE_WATCHERS: '10' } });
test.before(() => shared.start());
test.after(() => shared.stop());

test('a client that does not read is dropped and holds up nobody; too many streams are refused', async () => {
  const url = shared.hosts[0]?.url ?? '';
  const stuck = await openRaw(url);
  stuck.write(`GET /notes/live HTTP/1.1\r\nhost: ${new URL(url).host}\r\n\r\n`);
  await stuck.until(/event: ready/);
  stuck.socket.pause();
  const reader = await watch(url, '/notes/live');
  assert.is((await fetch(`${url}/notes/live`)).status, 429, 'one caller has a fifth');
  const text = 'y'.repeat(500_000);
  const isDropped = async (): Promise<boolean> => {
    const answer = await fetch(`${url}/notes/live`);
    await answer.body?.cancel();
    return answer.status === 200;
  };
  let written = 0;
  await until(async () => {
    if (written < 24) await writeNote(url, { noteId: newUuid(), text });
    if (written < 24) written++;
    return isDropped();
  });
  await reader.has(written, 'changed');
  await reader.close();
  stuck.socket.resume();
  await stuck.closed;
});

test('a client that has closed its side of the connection keeps no place', async () => {
  const url = shared.hosts[1]?.url ?? '';
  for (let n = 0; n < 2; n++) {
    const half = await openRaw(url);
    half.socket.allowHalfOpen = true;
    half.write(`GET /notes/live HTTP/1.1\r\nhost: ${new URL(url).host}\r\n\r\n`);
    await half.until(/event: ready/);
    half.socket.end();
  }
  await until(async () => {
    const { status, body } = await fetch(`${url}/notes/live`);
    await body?.cancel();
    return status === 200;
  });
});

test('a stream behind a request that is not answered yet is refused: it would keep its place forever', async () => {
  const url = shared.hosts[1]?.url ?? '';
  const asked = (path: string) => `GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n\r\n`;
  const line = await openRaw(url);
  line.write(asked('/notes') + asked('/notes/live'));
  assert.match(await line.until(/event: ready|urn:svc:problem/), /on a connection of its own/);
  line.close();
});

test('a host that stops ends its streams with a reason, and another one continues them', async () => {
  const [first, second] = shared.hosts;
  const [one, two] = [newUuid(), newUuid()];
  const near = await watch(first?.url ?? '', '/notes/live');
  await writeNote(second?.url ?? '', { noteId: one, n: 1 });
  await near.has(1, 'changed');
  await first?.stop();
  await near.ended();
  assert.equal(
    near.of('closed').map(({ data }) => data),
    [{ reason: 'draining' }],
  );
  await writeNote(second?.url ?? '', { noteId: two, n: 2 });
  const far = await watch(second?.url ?? '', '/notes/live', { 'last-event-id': near.lastId });
  await sends(far, `changed ${two} 2`);
});
