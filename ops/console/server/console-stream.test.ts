import { setImmediate } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { Problem } from '../../../contracts/problems.js';
import { suite } from '../../../contracts/testing/suite.js';
import { aRecord, aRequest, scriptedHost } from '../../testing/scripted-host.js';
import type { RequestItem } from '../model/requests.js';
import { ConsoleStream } from './console-stream.js';
import { type StreamClient, HostWatch } from './host-watch.js';

const test = suite('console stream');

interface Page extends StreamClient {
  readonly received: string[];
  bufferedBytes: number;
  ended: boolean;
}

function aPage(): Page {
  const received: string[] = [];
  const page: Page = {
    received,
    bufferedBytes: 0,
    ended: false,
    write: (text) => void received.push(text),
    end: () => {
      page.ended = true;
    },
  };
  return page;
}

const eventsOf = ({ received }: Page, name: string): unknown[] =>
  received
    .filter((text) => text.includes(`event: ${name}\n`))
    .map((text) => JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? 'null') as unknown);

const settled = async (): Promise<void> => {
  for (let tick = 0; tick < 5; tick++) await setImmediate();
};

test('a new connection receives the full state', async () => {
  const host = scriptedHost();
  host.requests.push(aRequest('r-1'));
  const watch = new HostWatch(host);
  const page = aPage();
  watch.add(page);
  await settled();
  for (const name of ['host', 'requests', 'lifecycle', 'outbox', 'perspectives', 'head']) {
    assert.ok(eventsOf(page, name).length > 0, name);
  }
});

test('a connection receives once what was counted before it', async () => {
  const past = { agoMs: 1_000, requests: 7, failed: 1, crashed: 1, rejected: 0, replayed: 0 };
  const host = scriptedHost();
  const { lifecycle } = host;
  const counting = lifecycle && { ...lifecycle, history: () => Promise.resolve([past]) };
  const watch = new HostWatch({ ...host, ...(counting && { lifecycle: counting }) });
  const page = aPage();
  watch.add(page);
  await settled();
  watch.tick();
  await settled();
  assert.equal(eventsOf(page, 'history'), [[past]]);
});

test('an unchanged value is not sent again', async () => {
  const watch = new HostWatch(scriptedHost());
  const page = aPage();
  watch.add(page);
  await settled();
  const before = page.received.length;
  watch.tick();
  await settled();
  assert.equal(page.received.slice(before), [': \n\n']);
});

test('a request is sent once', async () => {
  const host = scriptedHost();
  const watch = new HostWatch(host);
  const page = aPage();
  watch.add(page);
  host.requests.unshift(aRequest('r-1'));
  watch.tick();
  host.requests.unshift(aRequest('r-2'));
  watch.tick();
  const sent = eventsOf(page, 'requests') as { id: string }[][];
  assert.equal(
    sent.flat().map(({ id }) => id),
    ['r-1', 'r-2'],
  );
});

test('an answer of another process is sent when it arrives, and only one is in flight', async () => {
  const shown = scriptedHost();
  const asked: ((latest: readonly RequestItem[]) => void)[] = [];
  const requests = () =>
    new Promise<readonly RequestItem[]>((resolve) => {
      asked.push(resolve);
    });
  const watch = new HostWatch({
    ...shown,
    ...(shown.lifecycle && { lifecycle: { ...shown.lifecycle, requests } }),
  });
  const page = aPage();
  watch.add(page);
  watch.tick();
  assert.is(asked.length, 2, 'for the new connection and for all');
  asked[1]?.([aRequest('r-1')]);
  await settled();
  assert.equal(
    (eventsOf(page, 'requests') as { id: string }[][]).flat().map(({ id }) => id),
    ['r-1'],
  );
  watch.tick();
  assert.is(asked.length, 3);
});

test('one tick sends at most a hundred records', async () => {
  const host = scriptedHost();
  const watch = new HostWatch(host);
  const page = aPage();
  watch.add(page);
  await settled();
  for (let position = 1; position <= 1000; position++) host.stream.push(aRecord(position));
  watch.tick();
  await settled();
  const [sent] = eventsOf(page, 'records') as { position: number }[][];
  assert.is(sent?.length, 100);
  assert.is(sent?.at(-1)?.position, 1000);
});

test('a page that reconnects receives what it missed', async () => {
  const host = scriptedHost();
  for (let position = 1; position <= 5; position++) host.stream.push(aRecord(position));
  const page = aPage();
  new HostWatch(host).add(page, '3');
  await settled();
  const [sent] = eventsOf(page, 'records') as { position: number }[][];
  assert.equal(
    sent?.map(({ position }) => position),
    [4, 5],
  );
});

test('a store that does not answer is reported, and delays nothing else', async () => {
  const host = scriptedHost();
  const watch = new HostWatch(host);
  const page = aPage();
  host.outboxFigures = () => Promise.reject(new Problem('store-unavailable'));
  watch.add(page);
  await settled();
  assert.equal(eventsOf(page, 'trouble').at(-1), ['outbox']);
  host.requests.push(aRequest('r-1'));
  watch.tick();
  assert.ok(eventsOf(page, 'requests').length > 0);
});

test('a store that has stopped is reported before its reads fail', async () => {
  const host = scriptedHost();
  const watch = new HostWatch(host);
  const page = aPage();
  host.outboxFigures = () => new Promise(() => undefined);
  watch.add(page);
  await settled();
  watch.tick();
  assert.equal(eventsOf(page, 'trouble').at(-1), []);
  watch.tick();
  watch.tick();
  assert.equal(eventsOf(page, 'trouble').at(-1), ['outbox']);
});

test('traces are kept only while a page watches', () => {
  const host = scriptedHost();
  const stream = new ConsoleStream();
  const leave = [stream.join(host, aPage()), stream.join(host, aPage())];
  assert.is(host.watchers, 1);
  for (const go of leave) go();
  assert.equal([host.watchers, stream.clients], [0, 0]);
});

test('the number of pages is limited, and a closed page makes room for another', () => {
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

test('a page that does not read is disconnected, and the others are not', async () => {
  const stream = new ConsoleStream({ everyMs: 5, maxClients: 2, maxBufferedBytes: 10 });
  const host = scriptedHost();
  const [slow, quick] = [aPage(), aPage()];
  const leave = [stream.join(host, slow), stream.join(host, quick)];
  slow.bufferedBytes = 11;
  while (!slow.ended) await setImmediate();
  assert.not.ok(quick.ended);
  for (const go of leave) go();
});

test('a host that stops closes all connections and accepts none', () => {
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
