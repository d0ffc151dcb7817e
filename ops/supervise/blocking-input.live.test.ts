import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { jsonOf } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { kitchen, sell } from '../testing/blocking-kitchen.js';
import { boilUntilAnswered } from '../testing/quarantined-command.js';
import { afterTwo, allRun, impatient, withSupervisor } from '../testing/spawned-supervisor.js';

const test = suite('input that blocks the event loop');

test('input that blocks while it is decoded is quarantined by its sender, while other commands are served', () =>
  withStore((database) =>
    withSupervisor(
      { args: afterTwo, env: { DATABASE_URL: database, ...impatient }, source: kitchen },
      async (supervisor) => {
        const refused = await boilUntilAnswered(supervisor, 'unread');
        assert.is((jsonOf(refused) as { type: string }).type, 'urn:svc:problem:quarantined');
        const { quarantined } = await supervisor.status();
        assert.equal(
          quarantined.map(({ command, key }) => [command, key]),
          [['input of Boil', '127.0.0.1']],
        );
        await supervisor.until(allRun);
        assert.is((await sell(supervisor.url)).status, 200);
      },
    ),
  ));
