import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withAmqp } from '../testing/shared-rabbitmq.js';
import { until } from '../kit/until.js';
import { askAmqpBroker } from './amqp.js';

const test = suite('amqp probe');

const failureOf = async (url: string): Promise<string> =>
  askAmqpBroker(url).then(
    () => 'none',
    (error: unknown) => (error as Error).message,
  );

/** A busy machine may let a probe time out. */
const mustAnswer = (url: string, answer: string): Promise<number> =>
  until(async () => (await failureOf(url)) === answer);

test('a running broker is probed over a real connection, and a stopped one is reported by its address', () =>
  withAmqp(async (server) => {
    const at = new URL(server.url).host;
    await mustAnswer(server.url, 'none');
    await mustAnswer(`amqp://guest:wrong@${at}`, `The AMQP broker at ${at} refused the login.`);
    await server.cut();
    assert.match(await failureOf(server.url), `The AMQP broker at ${at} cannot be reached (ECONN`);
    await server.restore();
    await mustAnswer(server.url, 'none');
  }));

test('a silent server times out, and the password is not repeated', async () => {
  const silent = createServer((socket) => void socket.unref()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const at = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const failure = await failureOf(`amqp://baker:secret@${at}`);
  silent.close();
  assert.match(failure, `The AMQP broker at ${at} cannot be reached (`);
  assert.not.match(failure, 'secret');
});
