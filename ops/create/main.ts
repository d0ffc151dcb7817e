#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { createService, nextSteps } from './create.js';

const usage =
  'npm create svc-runtime@latest <dir>\n\nCreates a service in a new folder and names it after the folder.\n';

// Nobody has to read on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const [dir, ...rest] = process.argv.slice(2);
if (dir === '--help' || dir === '-h') {
  process.stdout.write(usage);
} else if (dir === undefined || dir.startsWith('-') || rest.length > 0) {
  fail('Name one folder: npm create svc-runtime@latest <dir>.');
} else {
  const created = await createService(fileURLToPath(new URL('../template', import.meta.url)), dir);
  if ('refused' in created) fail(created.refused);
  else process.stderr.write(nextSteps(dir, created));
}

function fail(reason: string): void {
  process.stderr.write(`create-svc-runtime: ${reason}\n`);
  process.exitCode = 1;
}
