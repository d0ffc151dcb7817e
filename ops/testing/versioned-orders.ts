import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtForProcess, exampleForProcess } from '../../runtime/testing/process-root.js';

/** Writes a version of the orders example that also answers POST /version with its version, or fails that often. */
export async function versionedOrders(folder: string, version: string, failing = 0): Promise<string> {
  const path = join(folder, `orders-${version}`);
  await mkdir(path, { recursive: true });
  const manifest = { name: 'orders', version, type: 'module', main: 'main.js' };
  await writeFile(join(path, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(path, 'main.js'), source(version, failing));
  return path;
}

const index = builtForProcess(new URL('../../index.js', import.meta.url));
const endpoints = builtForProcess(new URL('../../endpoints/index.js', import.meta.url));

/** `failing`: of ten requests. */
const source = (version: string, failing: number): string => `
import { Command, CommandEndpoint, RestMutationEndpointBase } from '${index}';
import { endpoint, receptor } from '${endpoints}';
import orders from '${exampleForProcess('orders')}';
class ReportVersion extends Command {}
CommandEndpoint({ restRoute: '/version' })(ReportVersion);
class ReportVersionEndpoint extends RestMutationEndpointBase {
  constructor(dispatcher) { super(); this.dispatcher = dispatcher; }
  dispatchCommand(command, signal, context) { return this.dispatcher.localInvoke(command, signal, context); }
}
let handled = 0;
const handle = async () => {
  if (handled++ % 10 < ${failing}) throw new TypeError('this version is broken');
  return { version: '${version}' };
};
const create = (dispatcher) => {
  const { endpoints, receptors, ...rest } = orders.create(dispatcher);
  const reportVersion = endpoint({
    command: ReportVersion, endpoint: new ReportVersionEndpoint(dispatcher), decode: () => ReportVersion.of({}),
  });
  return {
    ...rest,
    endpoints: [...endpoints, reportVersion],
    receptors: [...receptors, receptor(ReportVersion, { handle })],
  };
};
export default { ...orders, create };
`;
