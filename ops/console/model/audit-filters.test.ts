import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { auditFilters } from './audit-filters.js';

const test = suite('audit filters');

const id = '018f0000-0000-7000-8000-000000000001';

test('a search of requests continues in the system stream with what it knows of them', () => {
  assert.equal(auditFilters(id), { correlation: id });
  assert.equal(auditFilters(` id:${id} `), { correlation: id });
  assert.equal(auditFilters('4xx host:north-1'), { status: 'failed', 'host-name': 'north-1' });
  assert.equal(auditFilters(`stream:${id} since:2026-01-31T10:30`), {
    stream: id,
    since: '2026-01-31T10:30',
  });
  assert.equal(auditFilters('OrderShipped'), { type: 'OrderShipped' });
});

test('words without a meaning in the system stream lead nowhere', () => {
  for (const search of ['', 'slower:500', 'since:10:30', 'transport:graphql', 'two words'])
    assert.is(auditFilters(search), undefined, search);
});
