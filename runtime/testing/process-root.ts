import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const repository = new URL('../../../', import.meta.url).href;

/** The folder from which tests start processes: the repository, or a copy whose modules load faster. */
export const processRoot = process.env['SVC_TEST_PROCESSES'] ?? fileURLToPath(repository);

/** Where such a process finds a compiled file; one from elsewhere would load its modules a second time. */
export const builtForProcess = ({ href }: URL): string =>
  new URL(href.slice(repository.length), pathToFileURL(join(processRoot, '/'))).href;
