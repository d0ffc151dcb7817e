import fastify from 'fastify';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { openRaw } from '../testing/http-client.js';
import { mustHaveOwnConnection } from './connections.js';

const test = suite('connections of streams');

test('only the first request of a connection may become a stream before it is answered', async () => {
  const app = fastify();
  const decided: string[] = [];
  app.get('/stream', (_, reply) => {
    try {
      mustHaveOwnConnection(reply);
      decided.push('open');
    } catch (error) {
      decided.push(error instanceof Problem ? error.code : 'unexpected');
    }
    reply.hijack();
  });
  const line = await openRaw(await app.listen({ port: 0, host: '127.0.0.1' }));
  try {
    line.write('GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(3));
    await until(() => decided.length === 3);
    assert.equal(decided, ['open', 'malformed-request', 'malformed-request']);
  } finally {
    line.close();
    await app.close();
  }
});
