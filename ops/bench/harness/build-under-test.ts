import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of this build, in which modules lie as their sources do. */
export const ourRoot = new URL('../../../', import.meta.url).href;

/** The build whose modules are measured: this one, or that of another commit. */
export const rootUnderTest = process.env['SVC_BENCH_BUILD'] ?? ourRoot;

export const fileUnderTest = (path: string): string => fileURLToPath(new URL(path, rootUnderTest));

/** The orders example; commits before the package was a bundle have it beside the modules. */
export const ordersUnderTest = (): string => {
  const built = fileUnderTest('examples/orders/dist/main.js');
  return existsSync(built) ? built : fileUnderTest('examples/orders/main.js');
};
