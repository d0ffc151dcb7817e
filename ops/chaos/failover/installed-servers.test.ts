import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { protocolFor } from './installed-servers.js';

const test = suite('servers of a failover');

test('a Patroni that could take the lock of the new leader over version 3 of etcd uses version 2', () => {
  for (const version of ['patroni 3.0.2', 'patroni 2.1.4', 'patroni 3.0'])
    assert.is(protocolFor(version), 'etcd', version);
  for (const version of ['patroni 3.0.3', 'patroni 3.1.0', 'patroni 4.0.4'])
    assert.is(protocolFor(version), 'etcd3', version);
});
