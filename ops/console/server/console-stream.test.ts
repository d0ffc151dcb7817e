import { setImmediate } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Problem } from '../../../contracts/problems.js';
import { aRecord, aRequest, scriptedHost } from '../../testing/scripted-host.js';
import type { RequestLine } from '../model/requests.js';
import { ConsoleStream } from './console-stream.js';
import { type StreamClient, HostWatch } from './host-watch.js';

const test = suite('console stream');

interface Page extends StreamClient {
  readonly heard: string[];
  bufferedBytes: number;
  ended: boolean;
}

function aPage(): Page {
  const heard: string[] = [];
  const page: Page = {
    heard,
    bufferedBytes: 0,
    ended: false,
    write: (text) => void heard.push(text),
    end: () => {
      page.ended = true;
    },
  };
  return page;
}

const news = ({ heard }: Page, name: string): unknown[] =>
  heard
    .filter((text) => text.includes(`event: ${name}\n`))
    .map((text) => JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? 'null') as unknown);

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
};

test('whoever comes hears everything as it stands', async () => {
  const host = scriptedHost();
  host.requests.push(aRequest('r-1'));
  const watch = new HostWatch(host);
  const page = aPage();
  watch.add(page);
  await settled();
  for (const name of ['host', 'requests', 'lifecycle', 'outbox', 'perspectives', 'head']) {
    assert.ok(news(page, name).length > 0, name);
  }
});

test('what has not changed is not told again', async () => {
  const watch = new HostWatch(scriptedHost());
  const page = aPage();
  watch.add(page);
  await settled();
  const before = page.heard.length;
  watch.tick();
  await settled();
  assert.equal(page.heard.slice(before), [': \n\n']);
});

test('a request is told once', async () => {
  const host = scriptedHost();
  const watch = new HostWatch(host);
  const page = aPage();
  watch.add(page);
  host.requests.unshift(aRequest('r-1'));
  watch.tick();
  host.requests.unshift(aRequest('r-2'));
  watch.tick();
  const told = news(page, 'requests') as { id: string }[][];
  assert.equal(
    told.flat().map(({ id }) => id),
    ['r-1', 'r-2'],
  );
});

test('what another process has to say is told when it has said it, and asked once at a time', async () => {
  const shown = scriptedHost();
  const asked: ((latest: readonly RequestLine[]) => void)[] = [];
  const requests = () =>
    new Promise<readonly RequestLine[]>((resolve) => {
      asked.push(resolve);
    });
  const watch = new HostWatch({
    ...shown,
    ...(shown.lifecycle && { lifecycle: { ...shown.lifecycle, requests } }),
  });
  const page = aPage();
  watch.add(page);
  watch.tick();
  assert.is(asked.length, 2, 'for the newcomer and for all');
  asked[1]?.([aRequest('r-1')]);
  await settled();
  assert.equal(
    (news(page, 'requests') as { id: string }[][]).flat().map(({ id }) => id),
    ['r-1'],
  );
  watch.tick();
  assert.is(asked.length, 3);
});

test('however many records come, one tick tells a hundred at most', async () => {
  const host = scriptedHost();
  const watch = new HostWatch(host);
  const page = aPage();
  watch.add(page);
  await settled();
  for (let position = 1; position <= 1000; position++) host.stream.push(aRecord(position));
  watch.tick();
  await settled();
  const [told] = news(page, 'records') as { position: number }[][];
  assert.is(told?.length, 100);
  assert.is(told?.at(-1)?.position, 1000);
});

test('who comes back hears what it missed', async () => {
  const host = scriptedHost();
  for (let position = 1; position <= 5; position++) host.stream.push(aRecord(position));
  const page = aPage();
  new HostWatch(host).add(page, '3');
  await settled();
  const [told] = news(page, 'records') as { position: number }[][];
  assert.equal(
    told?.map(({ position }) => position),
    [4, 5],
  );
});

test('a store that does not answer is told as trouble, and keeps nothing else waiting', async () => {
  const host = scriptedHost();
  const watch = new HostWatch(host);
  const page = aPage();
  host.outboxFigures = () => Promise.reject(new Problem('store-unavailable'));
  watch.add(page);
  await settled();
  assert.equal(news(page, 'trouble').at(-1), ['outbox']);
  host.requests.push(aRequest('r-1'));
  watch.tick();
  assert.ok(news(page, 'requests').length > 0);
});

test('traces are kept while somebody watches, and no longer', () => {
  const host = scriptedHost();
  const stream = new ConsoleStream();
  const leave = [stream.join(host, aPage()), stream.join(host, aPage())];
  assert.is(host.watchers, 1);
  for (const go of leave) go();
  assert.equal([host.watchers, stream.clients], [0, 0]);
});

test('the number of pages has a bound, and a place is free again when one is closed', () => {
  const stream = new ConsoleStream({ everyMs: 1000, maxClients: 1, maxBufferedBytes: 10 });
  const leave = stream.join(scriptedHost(), aPage());
  assert.throws(
    () => stream.join(scriptedHost(), aPage()),
    (error: Problem) => error.code === 'overloaded',
  );
  leave();
  leave();
  stream.join(scriptedHost(), aPage())();
});

test('a page that does not read is cut, and the others are not', async () => {
  const stream = new ConsoleStream({ everyMs: 5, maxClients: 2, maxBufferedBytes: 10 });
  const host = scriptedHost();
  const [slow, quick] = [aPage(), aPage()];
  const leave = [stream.join(host, slow), stream.join(host, quick)];
  slow.bufferedBytes = 11;
  while (!slow.ended) await setImmediate();
  assert.not.ok(quick.ended);
  for (const go of leave) go();
});

test('a host that stops lets everybody go, and nobody in', () => {
  const stream = new ConsoleStream();
  const page = aPage();
  const leave = stream.join(scriptedHost(), page);
  stream.close();
  assert.ok(page.ended);
  leave();
  assert.throws(
    () => stream.join(scriptedHost(), aPage()),
    (error: Problem) => error.code === 'draining',
  );
});

test.run();
