import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../kit/until.js';

const test = suite('test broker');

const script = `
  import { withRabbitMq } from ${JSON.stringify(new URL('rabbitmq-server.js', import.meta.url).href)};
  await withRabbitMq(({ url }) => new Promise(() => process.stdout.write(new URL(url).port, () => process.exit())));`;

test('a broker ends with the process that uses it', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  await until(async () => !(await listens(Number(stdout))));
});

async function listens(port: number): Promise<boolean> {
  assert.ok(port > 0);
  const socket = connect(port, '127.0.0.1');
  const [answer] = (await Promise.race([
    once(socket, 'connect').then(() => [true]),
    once(socket, 'close').then(() => [false]),
  ]).catch(() => [false])) as [boolean];
  socket.destroy();
  return answer;
}
