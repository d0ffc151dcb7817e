import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { type Answered, jsonOf, post } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { until } from '../../runtime/testing/until.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import { svc } from '../testing/spawned-host.js';
import { allRun, impatient, type SpawnedSupervisor, withSupervisor } from '../testing/spawned-supervisor.js';
import type { SupervisorStatus } from './status-socket.js';

const test = suite('a command that blocks the event loop');

const index = builtForProcess(new URL('../../index.js', import.meta.url));

/**
 * Boil may block for 20 s, or for as long as the host lives, at once or after it has waited for something; Sell never does.
 * On a machine that hardly runs the host, a shorter block would be over before the host counts as silent.
 */
const kitchen = `
import { Command, CommandEndpoint, endpoint, receptor, RestMutationEndpointBase } from '${index}';
class Boil extends Command { how; pot; }
class Sell extends Command {}
CommandEndpoint({ restRoute: '/boil' })(Boil);
CommandEndpoint({ restRoute: '/sell' })(Sell);
class PostEndpoint extends RestMutationEndpointBase {
  constructor(dispatcher) { super(); this.dispatcher = dispatcher; }
  dispatchCommand(command, signal, context) { return this.dispatcher.localInvoke(command, signal, context); }
}
const busy = (ms) => { for (const end = Date.now() + ms; Date.now() < end;); };
const ways = {
  calm: () => undefined,
  busy: () => busy(20_000),
  asleep: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  later: async () => undefined,
};
const boiling = {
  async handle({ how }) {
    ways[how]();
    if (how === 'later') { await new Promise((done) => setTimeout(done, 5)); busy(Infinity); }
    return { done: true };
  },
  key: ({ pot }) => pot,
};
export default {
  name: 'kitchen',
  create: (dispatcher) => ({
    endpoints: [
      endpoint({
        command: Boil, endpoint: new PostEndpoint(dispatcher),
        decode: (value) => value.how === 'unread' ? busy(Infinity) : Boil.of({ how: String(value.how), pot: String(value.pot) }),
      }),
      endpoint({ command: Sell, endpoint: new PostEndpoint(dispatcher), decode: () => Sell.of({}) }),
    ],
    receptors: [receptor(Boil, boiling), receptor(Sell, { handle: async () => ({ sold: true }) })],
  }),
};
`;

const boil = (url: string, how: string, pot = '1') => post(url, { how, pot }, { path: '/boil' });
const sell = (url: string) => post(url, {}, { path: '/sell' });

const linesWith = (chunks: readonly string[], text: string) =>
  chunks
    .join('')
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => JSON.parse(line) as { readonly pid: number });

/** A client that retries at once until there is an answer. */
async function boilUntilAnswered({ url }: SpawnedSupervisor, how: string): Promise<Answered> {
  for (const end = performance.now() + 600_000; ; await delay(20)) {
    const answer = await boil(url, how).catch(() => undefined);
    if (answer !== undefined) return answer;
    assert.ok(performance.now() < end, 'no answer within 600 s');
  }
}

for (const how of ['asleep', 'later']) {
  test(`a command that blocks (${how}) is reported and quarantined by its key, while all others are served`, () =>
    withStore((database) =>
      withSupervisor(
        { env: { DATABASE_URL: database, ...impatient }, source: kitchen },
        async (supervisor) => {
          const { url, dataDir, output } = supervisor;
          const refused = await boilUntilAnswered(supervisor, how);
          assert.is(refused.status, 503);
          assert.is((jsonOf(refused) as { type: string }).type, 'urn:svc:problem:quarantined');
          assert.ok(Number(refused.headers['retry-after']) > 60);
          // Check at once: a later loss of the same host would replace this reason.
          const reason = /because its event loop was blocked by Boil \(key 1/;
          await supervisor.until(({ hosts }) => reason.test(JSON.stringify(hosts)));
          await supervisor.until(allRun);
          for (let n = 0; n < 20; n++) {
            assert.is((await sell(url)).status, 200);
            assert.is((await boil(url, 'calm', '2')).status, 200);
            assert.is((await boil(url, how)).status, 503);
          }
          const { stdout } = await svc(['supervise', 'kitchen', '--status', '--json'], {
            SVC_DATA_DIR: dataDir,
          });
          const { quarantined } = JSON.parse(stdout) as SupervisorStatus;
          assert.equal(
            quarantined.map(({ command, key }) => [command, key]),
            [['Boil', '1']],
          );
          assert.match(output.stdout.join(''), /"command":"Boil"[^\n]*"a command is in quarantine"/);
          const lost = linesWith(output.stdout, 'a host was lost to a command').map(({ pid }) => pid);
          assert.equal(lost, [...new Set(lost)], 'a host counts once');
          await until(async () => {
            const ready = await fetch(`${url}/health/ready`);
            assert.is(ready.status, 200);
            return (await ready.text()).includes('"Degraded","detail":"In quarantine: Boil (key 1)."');
          });
        },
      ),
    ));
}

test('input that blocks while it is decoded is quarantined by its sender, while other commands are served', () =>
  withStore((database) =>
    withSupervisor({ env: { DATABASE_URL: database, ...impatient }, source: kitchen }, async (supervisor) => {
      const refused = await boilUntilAnswered(supervisor, 'unread');
      assert.is((jsonOf(refused) as { type: string }).type, 'urn:svc:problem:quarantined');
      const { quarantined } = await supervisor.status();
      assert.equal(
        quarantined.map(({ command, key }) => [command, key]),
        [['input of Boil', '127.0.0.1']],
      );
      await supervisor.until(allRun);
      assert.is((await sell(supervisor.url)).status, 200);
    }),
  ));

test('a host with a longer patience is left alone', () =>
  withStore((database) =>
    withSupervisor(
      { env: { DATABASE_URL: database }, source: kitchen, args: ['--patience', '60000'] },
      async (supervisor) => {
        const before = (await supervisor.status()).hosts.map(({ pid }) => pid);
        assert.is((await boil(supervisor.url, 'busy')).status, 200);
        assert.equal(
          (await supervisor.status()).hosts.map(({ pid }) => pid),
          before,
        );
      },
    ),
  ));
