import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { hostMetrics, type HostFigures } from './metrics.js';

const test = suite('host metrics');

const figures = (children: ReturnType<HostFigures['children']>) =>
  ({ children: () => children }) as Partial<HostFigures> as HostFigures;

test('restarts of the children of a child are counted like its own', () => {
  const child = (name: string, restarts: number) => ({ name, restarts, state: 'running', since: 0 }) as const;
  const tree = [
    child('http', 0),
    {
      ...child('perspectives', 0),
      children: [child('orders perspective', 3), child('ledger perspective', 1)],
    },
  ];
  const family = hostMetrics(figures(tree)).find(({ name }) => name === 'svc_child_restarts_total');
  assert.equal(
    [...(family?.read() ?? [])].map(({ labels, value }) => [labels?.['child'], value]),
    [
      ['http', 0],
      ['perspectives', 0],
      ['orders perspective', 3],
      ['ledger perspective', 1],
    ],
  );
});

test('a host exports the leases it holds', () => {
  const held = { leases: () => ({ outbox: true, inbox: false }) } as Partial<HostFigures> as HostFigures;
  const family = hostMetrics(held).find(({ name }) => name === 'svc_lease_active');
  assert.equal(
    [...(family?.read() ?? [])].map(({ labels, value }) => [labels?.['lease'], value]),
    [
      ['outbox', 1],
      ['inbox', 0],
    ],
  );
});
