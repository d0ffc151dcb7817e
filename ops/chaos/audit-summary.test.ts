import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Findings } from './harness/consistency-check.js';
import { auditSummary } from './audit-summary.js';

const test = suite('chaos verdict');

const clean: Findings = { lost: 0, doubled: 0, unaudited: 0, missing: 0, phantom: 0 };
const whole = { ok: true, records: 2, head: { position: 2, hash: 'ab' } };
const facts = (...audits: number[]) => ({
  events: audits.map((count, index) => ({
    eventId: `event-${index}`,
    streamId: 'order',
    correlationId: `${index}`,
    audits: count,
  })),
  commandAudits: [],
  orphans: 0,
});

test('a clean run is reported on one line', () => {
  assert.is(
    auditSummary(facts(1, 1), clean, whole),
    '0 acknowledged commands without CommandAudited, 0 events without exactly one EventAudited, 0 duplicates, chain verifies',
  );
});

test('every fault is counted, and a broken chain is reported with its position', () => {
  const findings = { ...clean, unaudited: 3, doubled: 1 };
  const broken = { ...whole, ok: false, firstBroken: 7 };
  assert.is(
    auditSummary(facts(1, 0, 2), findings, broken),
    '3 acknowledged commands without CommandAudited, 2 events without exactly one EventAudited, 1 duplicates, chain breaks at 7',
  );
});
