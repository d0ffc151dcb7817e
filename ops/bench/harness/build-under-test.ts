import { fileURLToPath } from 'node:url';

/** The root of this build, in which modules lie as their sources do. */
export const ourRoot = new URL('../../../', import.meta.url).href;

/** The build whose modules are measured: this one, or that of another commit. */
export const rootUnderTest = process.env['SVC_BENCH_BUILD'] ?? ourRoot;

export const fileUnderTest = (path: string): string => fileURLToPath(new URL(path, rootUnderTest));
