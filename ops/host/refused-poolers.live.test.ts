import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withPgBouncer } from '../../runtime/testing/pgbouncer.js';
import { withPostgres } from '../../runtime/testing/postgres-release.js';
import { refusalOf } from '../testing/refused-start.js';

const test = suite('connection pools that are refused');

test('PgBouncer in session mode is refused, whether it refuses or drops our startup options', () =>
  withPostgres(undefined, async (server) => {
    for (const settings of ['', 'ignore_startup_parameters = options'])
      await withPgBouncer(server, settings, async (url) =>
        assert.match(
          await refusalOf({ DATABASE_URL: url }),
          /^svc: A (?:pooling )?proxy in front of PostgreSQL (?:refuses|drops) [^\n]+ such as HAProxy \(no version of PgBouncer does\)\.\n$/,
        ),
      );
  }));
