import { parentPort } from 'node:worker_threads';
import { loadModule } from 'libpg-query';
import { parseFile } from './parse-file.js';

await loadModule();

/** One file at a time; as text, because a deep tree cannot be cloned. */
parentPort?.on('message', (sql: string) => parentPort?.postMessage(JSON.stringify(parseFile(sql))));
