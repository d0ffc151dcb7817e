import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { until } from '../../../runtime/kit/until.js';
import { withHaproxy } from '../../testing/haproxy-server.js';
import { haproxyConfigOf } from './config.js';
import { serverStatsIn } from './server-stats.js';

const test = suite('a slot that answers its health check late');

/** Longer than a check may take by default; five of them would be enough to give a slot up. */
const lateMs = 6_000;
const checks = 5;

test('a serving slot that takes six seconds for each health check keeps its requests', () =>
  withHaproxy(async (haproxy) => {
    const [blue] = haproxyConfigOf(haproxy.config, haproxy.folder).slots;
    let answered = 0;
    const server = createServer(({ url }, response) => {
      if (url !== '/health/ready') return void response.end('served');
      void delay(lateMs).then(() => response.end(() => answered++));
    });
    server.listen(blue.port, '127.0.0.1');
    await once(server, 'listening');
    try {
      const statsOf = async () => serverStatsIn(await haproxy.command('show stat orders 4 -1'), 'orders');
      const isUp = async () => (await statsOf()).find(({ name }) => name === blue.server)?.isUp === true;
      await until(() => answered >= checks, 2 * checks * lateMs);
      assert.ok(await isUp());
      assert.is((await fetch(haproxy.url)).status, 200);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }));
