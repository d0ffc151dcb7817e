import { suite } from '../../../contracts/testing/suite.js';
import { clusterContract } from './testing/cluster-contract.js';
import { withStandIn } from './testing/orders-cluster.js';
import { realCluster } from './testing/real-cluster.js';

const test = suite('the kubernetes driver');

clusterContract(test, withStandIn);

const real = suite('the kubernetes driver on a real API server');

const withReal = await realCluster(process.env);
if (withReal === undefined)
  real(
    'was not run: SVC_TEST_KUBECONFIG names no cluster, and KUBEBUILDER_ASSETS no programs',
    () => undefined,
  );
else {
  clusterContract(real, withReal.run);
  real.after(withReal.stop);
}
