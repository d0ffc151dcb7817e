import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ListeningSession } from '../outbox/outbox-wake-ups.js';
import { sharedListening } from './shared-listening.js';

const test = suite('shared listening');

class Line {
  readonly statements: string[] = [];
  released = 0;
  hear: (channel: string) => void = () => undefined;
  end: () => void = () => undefined;
  readonly ended = new Promise<void>((resolve) => {
    this.end = resolve;
  });

  readonly session: ListeningSession = {
    rows: ({ text }) => {
      this.statements.push(text);
      return Promise.resolve([]);
    },
    onNotification: (listener) => {
      this.hear = listener;
    },
    ended: this.ended,
    release: () => void this.released++,
  };
}

function lines() {
  const opened: Line[] = [];
  const source = sharedListening({
    session: () => {
      const line = new Line();
      opened.push(line);
      return Promise.resolve(line.session);
    },
  });
  return { opened, source };
}

test('all who listen share one connection, which listens once', async () => {
  const { opened, source } = lines();
  const heard: string[] = [];
  for (const name of ['relay', 'runner']) {
    const session = await source.session();
    session.onNotification((channel) => heard.push(`${name} ${channel}`));
    await session.rows({ text: 'LISTEN svc' });
  }
  assert.is(opened.length, 1);
  assert.equal(opened[0]?.statements, ['LISTEN svc', 'LISTEN svc_lease']);
  opened[0]?.hear('svc');
  assert.equal(heard, ['relay svc', 'runner svc']);
});

test('it is given back with the last one, and then a new one is opened', async () => {
  const { opened, source } = lines();
  const [first, second] = [await source.session(), await source.session()];
  first.release(true);
  first.release(true);
  assert.is(opened[0]?.released, 0);
  second.release(true);
  assert.is(opened[0]?.released, 1);
  await source.session();
  assert.is(opened.length, 2);
});

test('a connection that is lost is replaced for all', async () => {
  const { opened, source } = lines();
  const [first, second] = [await source.session(), await source.session()];
  opened[0]?.end();
  await first.ended;
  await second.ended;
  first.release(true);
  const again = await source.session();
  second.release(true);
  assert.is(opened[0]?.released, 1);
  assert.is(opened.length, 2);
  again.release(true);
  assert.is(opened[1]?.released, 1);
});

test('one that cannot be opened is tried anew', async () => {
  let tries = 0;
  const source = sharedListening({
    session: () =>
      ++tries === 1 ? Promise.reject(new RangeError('away')) : Promise.resolve(new Line().session),
  });
  assert.match(String(await source.session().catch((error: unknown) => error)), 'away');
  await source.session();
  assert.is(tries, 2);
});

test.run();
