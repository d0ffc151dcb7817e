import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { startEmbeddedServer } from './embedded-server.js';
import { withFolder } from '../kit/temporary-folder.js';
import { settings, withCluster, query, answers, anotherProcess } from '../testing/embedded-servers.js';

const test = suite('embedded server');

test('a process that starts where another owns the server shares it and does not stop it', () =>
  withCluster(async (dataDir) => {
    const owner = await anotherProcess(dataDir);
    const guest = await startEmbeddedServer({ dataDir, settings });
    assert.is(guest.url, owner.url);
    assert.is(guest.adopted, false);
    await guest.stop();
    assert.equal(await query(owner.url, 'SELECT 1 AS alive'), [{ alive: 1 }]);
    await owner.stop();
    assert.not(await answers(owner.url));
  }));

test('the server of an owner that was killed keeps running and is adopted by the next start', () =>
  withCluster(async (dataDir) => {
    const victim = await anotherProcess(dataDir);
    await query(victim.url, "CREATE TABLE notes AS SELECT 'kept' AS note");
    await victim.kill();
    const heir = await startEmbeddedServer({ dataDir, settings });
    assert.is(heir.adopted, true);
    assert.is(heir.url, victim.url);
    assert.equal(await query(heir.url, 'SELECT note FROM notes'), [{ note: 'kept' }]);
    await heir.stop();
    assert.not(await answers(heir.url));
  }));

test('processes that start at once on a new data folder share one server', () =>
  withFolder(async (dataDir) => {
    const starters = await Promise.all(Array.from({ length: 4 }, () => anotherProcess(dataDir)));
    assert.is(new Set(starters.map(({ url }) => url)).size, 1);
    assert.is(starters.filter(({ adopted }) => adopted).length, 0);
    await Promise.all(starters.map((starter) => starter.stop()));
    assert.not(await answers(starters[0]?.url ?? ''));
  }));

test('exactly one of several processes that start at once after the owner was killed adopts the server', () =>
  withCluster(async (dataDir) => {
    const victim = await anotherProcess(dataDir);
    await victim.kill();
    const heirs = await Promise.all(Array.from({ length: 4 }, () => anotherProcess(dataDir)));
    assert.equal([...new Set(heirs.map(({ url }) => url))], [victim.url]);
    assert.is(heirs.filter(({ adopted }) => adopted).length, 1);
    await Promise.all(heirs.map((heir) => heir.stop()));
    assert.not(await answers(victim.url));
  }));

test('simultaneous starts within one process share one server', () =>
  withCluster(async (dataDir) => {
    const servers = await Promise.all(
      Array.from({ length: 3 }, () => startEmbeddedServer({ dataDir, settings })),
    );
    assert.is(new Set(servers.map(({ url }) => url)).size, 1);
    await Promise.all(servers.map((server) => server.stop()));
  }));

test('a Ctrl-C meant for the service does not stop its server', () =>
  withCluster(async (dataDir) => {
    const owner = await anotherProcess(dataDir);
    owner.interrupt();
    assert.equal(await query(owner.url, 'SELECT 1 AS alive'), [{ alive: 1 }]);
    await owner.stop();
  }));
