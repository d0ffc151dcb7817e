import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HealthCheck } from '../../contracts/health.js';
import { clockSkewCheck, type Clocks, receivedGapsCheck } from './subscriber-checks.js';

const test = suite('received checks');

const ask = (check: HealthCheck) => check.check(new AbortController().signal);

test('records that did not come are counted by store, with what brings them', async () => {
  const gaps = [
    { store: 'north', missing: 538, differs: false },
    { store: 'south', missing: 0, differs: true },
  ];
  assert.equal(
    await ask(
      receivedGapsCheck(
        () => Promise.resolve([]),
        () => [],
      ),
    ),
    { status: 'Healthy' },
  );
  assert.equal(
    await ask(
      receivedGapsCheck(
        () => Promise.resolve(gaps),
        () => ['The broker lost some.'],
      ),
    ),
    {
      status: 'Degraded',
      detail:
        '538 system records of store north were not received: svc outbox republish there sends them again. ' +
        'The chain of store south is not what was received from it: svc audit verify --origin south shows where. ' +
        'The broker lost some.',
    },
  );
});

test('many stores are counted, not listed', async () => {
  const gaps = Array.from({ length: 40 }, (_, n) => ({ store: `s${n}`, missing: 1, differs: false }));
  const { detail } = await ask(
    receivedGapsCheck(
      () => Promise.resolve(gaps),
      () => [],
    ),
  );
  assert.match(detail ?? '', /^(1 system records of store s\d [^.]*\. ){5}So it is with 35 more stores\.$/);
});

test('clocks that are far apart are told, each by what it is compared with', async () => {
  const told = async (clocks: Clocks) => ask(clockSkewCheck(() => Promise.resolve(clocks)));
  assert.equal(await told({ database: { ahead: -29, logAhead: 3 }, furthest: { store: 'n', seconds: 4 } }), {
    status: 'Healthy',
  });
  assert.equal(
    await told({ database: { ahead: -31, logAhead: 3_590 }, furthest: { store: 'north', seconds: 3_600 } }),
    {
      status: 'Degraded',
      detail:
        "The database's clock is 31 s behind this host's. " +
        "The log is 3590 s ahead of the database's clock, which was set back. " +
        "Store north records times 3600 s ahead of this host's clock.",
    },
  );
});

test.run();
