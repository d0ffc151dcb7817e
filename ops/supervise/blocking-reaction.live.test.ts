import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { post } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/testing/until.js';
import { impatient, isAlive, pids, withSupervisor } from '../testing/spawned-supervisor.js';

const test = suite('a reaction that blocks the event loop');

const index = builtForProcess(new URL('../../index.js', import.meta.url));

/** Each pot is boiled, and a reaction serves it; that of the pot `burnt` never ends. */
const kitchen = `
import { Command, CommandEndpoint, endpoint, Event, newUuid, receptor, RestMutationEndpointBase } from '${index}';
class Boil extends Command { pot; }
class Serve extends Command { pot; }
class Boiled extends Event { pot; }
class Served extends Event { pot; }
CommandEndpoint({ restRoute: '/boil' })(Boil);
class PostEndpoint extends RestMutationEndpointBase {
  constructor(dispatcher) { super(); this.dispatcher = dispatcher; }
  dispatchCommand(command, signal, context) { return this.dispatcher.localInvoke(command, signal, context); }
}
const appends = (type) => ({ handle: ({ pot }, _, work) => void work.append(newUuid(), type.of({ pot })) });
export default {
  name: 'kitchen',
  create: (dispatcher) => ({
    endpoints: [
      endpoint({ command: Boil, endpoint: new PostEndpoint(dispatcher), decode: ({ pot }) => Boil.of({ pot: String(pot) }) }),
    ],
    receptors: [receptor(Boil, appends(Boiled)), receptor(Serve, appends(Served))],
    reactions: [{ name: 'serve', events: [Boiled], react: ({ payload: { pot } }) => {
      if (pot === 'burnt') { console.log('{"msg":"burning"}'); for (;;); }
      return Serve.of({ pot });
    } }],
    events: [Boiled, Served],
  }),
};
`;

test('its event is parked after it has cost several hosts, and all others are handled', () =>
  withStore((database) =>
    withSupervisor({ env: { DATABASE_URL: database, ...impatient }, source: kitchen }, async ({ url }) => {
      const boil = (pot: string) => post(url, { pot }, { path: '/boil' });
      await boil('burnt');
      const aside = () => rowsOf(database, 'SELECT state, error FROM svc_aside');
      await until(async () => (await aside()).length > 0, 600_000);
      assert.equal(await aside(), [
        [
          'parked',
          'quarantined: reaction serve is in quarantine because it blocked this service repeatedly.',
        ],
      ]);
      await until(
        () =>
          boil('fine').then(
            ({ status }) => status < 300,
            () => false,
          ),
        120_000,
      );
      const served = `SELECT DISTINCT data->>'pot' FROM svc_event_stream WHERE event_type = 'Served'`;
      await until(async () => (await rowsOf(database, served)).length > 0, 120_000);
      assert.equal(await rowsOf(database, served), [['fine']]);
    }),
  ));

test('a host that it blocks does not outlive its supervisor', () =>
  withStore((database) =>
    withSupervisor({ env: { DATABASE_URL: database }, source: kitchen }, async (supervisor) => {
      const hosts = pids(await supervisor.status());
      // Its own host may be the one that is blocked.
      void post(supervisor.url, { pot: 'burnt' }, { path: '/boil' }).catch(() => undefined);
      await supervisor.untilLogged('burning');
      void supervisor.kill('SIGKILL');
      await until(() => !hosts.some(isAlive));
    }),
  ));
