import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { epochAt, epochOf } from './epoch-headers.js';

const test = suite('epoch headers');

const withHeaders = (headers: Readonly<Record<string, string>>) => ({
  header: (name: string): string | undefined => headers[name],
});

test('a message belongs to the last epoch that began before its position', () => {
  assert.equal(epochAt(100, '1:0 2:100 3:250'), { epoch: 1, forks: '' });
  assert.equal(epochAt(101, '1:0 2:100 3:250'), { epoch: 2, forks: '2:100' });
  assert.equal(epochAt(300, '1:0 2:100 3:250'), { epoch: 3, forks: '2:100 3:250' });
});

test('before the oldest epoch that is known, it belongs to the one before', () => {
  assert.equal(epochAt(5, '4:100 5:200'), { epoch: 3, forks: '' });
});

test('what is sent is read back, whatever the epochs', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { maxLength: 7 });
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 10_000_000 }), (distances, position) => {
      let fork = 0;
      const epochs = ['1:0', ...distances.map((distance, n) => `${n + 2}:${(fork += distance)}`)].join(' ');
      const { epoch, forks } = epochAt(position, epochs);
      const read = epochOf(withHeaders({ 'svc-epoch': String(epoch), 'svc-forks': forks }));
      assert.equal(read, { epoch, forks });
    }),
  );
});

test('a message that states no epoch has none', () => {
  assert.is(epochOf(withHeaders({})), undefined);
});

test('anything else is refused', () => {
  const bad = [
    { 'svc-epoch': '0' },
    { 'svc-epoch': '2147483648000' },
    { 'svc-epoch': '2', 'svc-forks': '2' },
    { 'svc-epoch': '2', 'svc-forks': `2:${'9'.repeat(16)}` },
    { 'svc-epoch': '2', 'svc-forks': Array.from({ length: 9 }, () => '2:1').join(' ') },
    { 'svc-epoch': '2', 'svc-forks': "2:1'; DROP TABLE svc_events" },
  ];
  for (const headers of bad)
    assert.throws(
      () => epochOf(withHeaders(headers)),
      (error: unknown) => error instanceof Problem,
    );
});
