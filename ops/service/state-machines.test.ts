import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { OrderFulfilment } from '../../actors/testing/order-fulfilment.js';
import { suite } from '../../contracts/testing/suite.js';
import { machines, namedMachines } from './state-machines.js';

const test = suite('machines of a host');

/** Of a process of the runtime, which a service with approvals has among its own. */
const approvalProcess = 'svc-approval';

const root = fileURLToPath(new URL('../../../', import.meta.url));

async function idsIn(folder: string): Promise<string[]> {
  const files = await readdir(join(root, folder), { recursive: true });
  const sources = files.filter((file) => /(?<!\.test)\.ts$/.test(file) && !file.startsWith('testing/'));
  const texts = await Promise.all(sources.map((file) => readFile(join(root, folder, file), 'utf8')));
  return texts.flatMap((text) =>
    [...text.matchAll(/^(?! *\*).*\.createMachine\(\{\s*id: '([^']+)'/gm)].map(([, id]) => id ?? ''),
  );
}

test('every statechart of the runtime is in the list that /machines shows', async () => {
  const ids = (await Promise.all(['actors', 'endpoints', 'runtime'].map(idsIn))).flat();
  assert.ok(ids.includes('lifecycle'));
  const listed = [...machines.map(({ id }) => id), approvalProcess];
  assert.equal(
    ids.filter((id) => !listed.includes(id)),
    [],
    'add it to ops/service/state-machines.ts',
  );
});

test('no two of them have the same id', () => {
  assert.is(new Set(machines.map(({ id }) => id)).size, machines.length);
});

test('processes come after them, each under its name, with its older machines and without taking a name', () => {
  const orders = new OrderFulfilment();
  const { machine } = orders;
  const own = machines.map(({ id }) => id);
  const older = Object.assign(new OrderFulfilment(), { name: 'follower', older: { 1: machine } });
  assert.equal(
    namedMachines([orders, older]).map(({ name }) => name),
    [...own, 'order-fulfilment', 'process-follower', 'process-follower@1'],
  );
});
