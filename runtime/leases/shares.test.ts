import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { type LiveHost, sharesOf } from './shares.js';

const test = suite('shares of leases');

const names = (count: number, kind = 'perspective'): string[] =>
  Array.from({ length: count }, (_, index) => `${kind}/${index}`);
const host = (owner: string, version: string, has: readonly string[]): LiveHost => ({
  owner,
  version,
  names: has,
});
const sharesIn = (kinds: readonly (readonly string[])[], self: LiveHost, hosts: readonly LiveHost[]) =>
  sharesOf(kinds, self, hosts).map(({ names: shared, share }) => `${share} of ${shared.length}`);

test('hosts of one version share each kind equally, rounded up', () => {
  const [perspectives, cursors] = [names(12), names(8, 'reaction')];
  const hosts = ['a', 'b', 'c'].map((owner) => host(owner, '1.0.0', [...perspectives, ...cursors]));
  for (const self of hosts)
    assert.equal(sharesIn([perspectives, cursors], self, hosts), ['4 of 12', '3 of 8']);
});

test('the newest version that can run something runs it', () => {
  const both = names(4);
  const [old, latest] = [host('a', '1.9.0', both), host('b', '1.10.0', both)];
  assert.equal(sharesIn([both], old, [old, latest]), ['0 of 4']);
  assert.equal(sharesIn([both], latest, [old, latest]), ['4 of 4']);
});

test('what the newest version lacks is run by the others', () => {
  const [kept, removed] = [names(2), names(3, 'removed')];
  const old = [host('a', '1', [...kept, ...removed]), host('b', '1', [...kept, ...removed])];
  const latest = host('c', '2', kept);
  assert.equal(sharesIn([[...kept, ...removed]], old[0] ?? latest, [...old, latest]), ['0 of 2', '2 of 3']);
});

test('a host that is not listed yet shares, too', () => {
  assert.equal(sharesIn([names(3)], host('a', '1', names(3)), []), ['3 of 3']);
});

const anyHosts = fc.uniqueArray(
  fc.record({
    owner: fc.constantFrom('a', 'b', 'c', 'd'),
    version: fc.constantFrom('1.0.0', '1.1.0', '2.0.0'),
    names: fc.subarray(names(9)),
  }),
  { selector: ({ owner }) => owner, minLength: 1 },
);

test('every lease that a live host can run has room somewhere, and no host may have more than its part', () => {
  fc.assert(
    fc.property(anyHosts, (hosts) => {
      const room = new Map<string, number>();
      for (const self of hosts)
        for (const group of sharesOf([self.names], self, hosts)) {
          assert.ok(group.share <= group.names.length);
          for (const name of group.names)
            room.set(name, (room.get(name) ?? 0) + group.share / group.names.length);
        }
      for (const name of new Set(hosts.flatMap((one) => one.names)))
        assert.ok((room.get(name) ?? 0) >= 1, name);
    }),
  );
});
