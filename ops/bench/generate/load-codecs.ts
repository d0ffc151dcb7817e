import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// Load first what a host has anyway: the contracts, and the application's own command classes.
const built = process.argv[2] ?? '';
await import('svc-runtime/contracts');
const commands = await readdir(join(built, 'src'));
for (const file of commands.filter((name) => name.endsWith('.js'))) {
  await import(pathToFileURL(join(built, 'src', file)).href);
}
const started = performance.now();
await import(pathToFileURL(join(built, 'generated/codecs.js')).href);
process.stdout.write(`${JSON.stringify({ ms: performance.now() - started })}\n`);
