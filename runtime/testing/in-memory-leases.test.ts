import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { InMemoryLeases } from './in-memory-leases.js';
import { leasesContract } from './leases-contract.js';

leasesContract(suite('leases in memory'), (body) => {
  const leases = new InMemoryLeases(() => performance.now());
  return body((version = '1.0.0') =>
    leases.of({ owner: newUuid(), name: 'host', version, broadcast: false }),
  );
});
