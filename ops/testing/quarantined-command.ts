import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { type Answered, jsonOf } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { until } from '../../runtime/kit/until.js';
import { svc } from './spawned-host.js';
import { allRun, impatient, type SpawnedSupervisor, withSupervisor } from './spawned-supervisor.js';
import type { SupervisorStatus } from '../supervise/status-socket.js';
import { kitchen, boil, sell } from './blocking-kitchen.js';

const linesWith = (chunks: readonly string[], text: string) =>
  chunks
    .join('')
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => JSON.parse(line) as { readonly pid: number });

/** A client that retries at once until there is an answer. */
export async function boilUntilAnswered({ url }: SpawnedSupervisor, how: string): Promise<Answered> {
  for (const end = performance.now() + 600_000; ; await delay(20)) {
    const answer = await boil(url, how).catch(() => undefined);
    if (answer !== undefined) return answer;
    assert.ok(performance.now() < end, 'no answer within 600 s');
  }
}

/** Expects that a command that blocks in this way is reported and quarantined, and that all others are served. */
export const mustBeQuarantined = (how: 'asleep' | 'later', args: readonly string[] = []): Promise<void> =>
  withStore((database) =>
    withSupervisor(
      { env: { DATABASE_URL: database, ...impatient }, source: kitchen, args },
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
  );
