import { pathToFileURL } from 'node:url';

// What the codecs themselves import is loaded first: a host has it anyway.
await import('../../../contracts/index.js');
const started = performance.now();
await import(pathToFileURL(process.argv[2] ?? '').href);
process.stdout.write(`${JSON.stringify({ ms: performance.now() - started })}\n`);
