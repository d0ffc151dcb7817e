import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { post } from '../../endpoints/testing/http-client.js';
import { until } from '../../runtime/kit/until.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { pids, replacedAfterMs, withSupervisor } from '../testing/spawned-supervisor.js';

const test = suite('a host that runs out of memory');

const index = builtForProcess(new URL('../../index.js', import.meta.url));
const endpoints = builtForProcess(new URL('../../endpoints/index.js', import.meta.url));

/** Note stores an event; Hoard takes all the memory that its host may have. */
const notes = `
import { Command, CommandEndpoint, Event, RestMutationEndpointBase } from '${index}';
import { endpoint, receptor } from '${endpoints}';
class Note extends Command { noteId; }
class Hoard extends Command {}
class Noted extends Event {}
CommandEndpoint({ restRoute: '/notes' })(Note);
CommandEndpoint({ restRoute: '/hoard' })(Hoard);
class PostEndpoint extends RestMutationEndpointBase {
  constructor(dispatcher) { super(); this.dispatcher = dispatcher; }
  dispatchCommand(command, signal, context) { return this.dispatcher.localInvoke(command, signal, context); }
}
const hoard = [];
const endless = async () => {
  for (;;) { hoard.push(new Array(100_000).fill(0).map((_, n) => ({ n }))); await new Promise(setImmediate); }
};
export default {
  name: 'notes',
  create: (dispatcher) => ({
    endpoints: [
      endpoint({ command: Note, endpoint: new PostEndpoint(dispatcher), decode: ({ noteId }) => Note.of({ noteId }) }),
      endpoint({ command: Hoard, endpoint: new PostEndpoint(dispatcher), decode: () => Hoard.of({}) }),
    ],
    receptors: [
      receptor(Note, { handle: ({ noteId }, work) => void work.append(noteId, Noted.of({})) }),
      receptor(Hoard, { handle: endless }),
    ],
    events: [Noted],
  }),
};
`;

test('it is replaced, the reason is one line, and nothing that was acknowledged is lost', () =>
  withStore((database) => {
    const env = { DATABASE_URL: database, NODE_OPTIONS: '--max-old-space-size=96' };
    return withSupervisor({ env, source: notes }, async (supervisor) => {
      const before = pids(await supervisor.status());
      const acknowledged: string[] = [];
      const over = new AbortController();
      const client = async (): Promise<void> => {
        while (!over.signal.aborted) {
          const noteId = newUuid();
          const answer = await post(supervisor.url, { noteId }, { path: '/notes' }).catch(() => undefined);
          if (answer?.status === 204) acknowledged.push(noteId);
          // Clients that never wait leave no processor to the host that starts.
          await delay(50);
        }
      };
      const clients = Array.from({ length: 4 }, client);
      await until(async () => acknowledged.length > 0);
      const hoarded = await post(supervisor.url, {}, { path: '/hoard' }).catch(() => undefined);
      assert.is.not(hoarded?.status, 204);
      await replacedAfterMs(supervisor, ...before);
      over.abort();
      await Promise.all(clients);
      const lost = (await supervisor.status()).hosts.map(({ lastError }) => lastError).filter(Boolean);
      assert.is(lost.length, 1);
      assert.match(
        lost[0] ?? '',
        /^process \d+ was killed by (?:SIGABRT|SIGTRAP), usually because its heap was full; raise it/,
      );
      const stored = (await rowsOf(database, 'SELECT stream_id FROM svc_events')).map(([id]) => id);
      assert.ok(acknowledged.length > 0);
      assert.equal(
        acknowledged.filter((id) => !stored.includes(id)),
        [],
      );
      assert.is(new Set(stored).size, stored.length, 'nothing is doubled');
    });
  }));
