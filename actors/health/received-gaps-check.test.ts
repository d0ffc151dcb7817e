import * as assert from 'uvu/assert';
import type { HealthCheck } from '../../contracts/health.js';
import { suite } from '../../contracts/testing/suite.js';
import { receivedGapsCheck } from './received-gaps-check.js';

const test = suite('received gaps check');

const run = (check: HealthCheck) => check.check(new AbortController().signal);

test('missing records are counted by store, with the command that sends them again', async () => {
  const gaps = [
    { store: 'north', missing: 538, differs: false },
    { store: 'south', missing: 0, differs: true },
  ];
  assert.equal(
    await run(
      receivedGapsCheck(
        () => Promise.resolve([]),
        () => [],
      ),
    ),
    { status: 'Healthy' },
  );
  assert.equal(
    await run(
      receivedGapsCheck(
        () => Promise.resolve(gaps),
        () => ['The broker lost some.'],
      ),
    ),
    {
      status: 'Degraded',
      detail:
        '538 system records of store north were not received: run svc outbox republish there to send them again. ' +
        'The chain of store south differs from what was received: svc audit verify --origin south shows where. ' +
        'The broker lost some.',
    },
  );
});

test('contradicting and forged heads are reported, with what to do', async () => {
  const gap = { missing: 0, differs: false };
  const gaps = [
    { store: 'north', ...gap, heads: 'contradicts' },
    { store: 'south', ...gap, heads: 'forged' },
  ] as const;
  const { status, detail } = await run(
    receivedGapsCheck(
      () => Promise.resolve(gaps),
      () => [],
    ),
  );
  assert.is(status, 'Degraded');
  assert.match(
    detail ?? '',
    /^Store north signed a head that contradicts an earlier one: .* --against FILE there\. /,
  );
  assert.match(
    detail ?? '',
    /Heads that store south did not sign arrived under its name: check who may publish/,
  );
});

test('many stores are counted, not listed', async () => {
  const gaps = Array.from({ length: 40 }, (_, n) => ({ store: `s${n}`, missing: 1, differs: false }));
  const { detail } = await run(
    receivedGapsCheck(
      () => Promise.resolve(gaps),
      () => [],
    ),
  );
  assert.match(detail ?? '', /^(1 system records of store s\d [^.]*\. ){5}35 more stores have gaps\.$/);
});
