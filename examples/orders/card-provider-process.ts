import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Refuses what is more than this. */
const limit = 10_000;
const endAfterMs = 8_000;

/** A provider of card payments for an example: it charges nobody. */
const [folder = '.'] = process.argv.slice(2);
const file = join(folder, 'card-provider.port');

let askedAt = Date.now();
const server = createServer((request, response) => {
  askedAt = Date.now();
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const [, what, key = ''] = pathname.split('/');
  const amount = searchParams.get('amount') ?? '0';
  const isTooMuch = what === 'charges' && Number(amount) > limit;
  const answer = isTooMuch ? { refused: 'limit' } : { chargeId: `charge-${key}` };
  response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify(what === 'charges' ? answer : {}));
});

server.listen(0, '127.0.0.1', () => void share(server));

/** The first one that links its file is the one that all hosts use; the port of one that has ended is replaced. */
async function share(own: Server): Promise<void> {
  const { port } = own.address() as AddressInfo;
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, String(port));
  const isTaken = await link(draft, file).then(
    () => false,
    () => true,
  );
  if (isTaken && (await answers())) process.exit(0);
  if (isTaken) {
    await rm(file, { force: true });
    await link(draft, file).catch(() => process.exit(0));
  }
  await rm(draft, { force: true });
  setInterval(() => void endWhenUnused(String(port)), 500);
}

const answers = async (): Promise<boolean> => {
  const port = await readFile(file, 'utf8').catch(() => '');
  const signal = AbortSignal.timeout(1_000);
  return fetch(`http://127.0.0.1:${port}/alive`, { method: 'POST', signal }).then(
    ({ ok }) => ok,
    () => false,
  );
};

async function endWhenUnused(port: string): Promise<void> {
  if (Date.now() - askedAt < endAfterMs) return;
  if ((await readFile(file, 'utf8').catch(() => '')) === port) await rm(file, { force: true });
  process.exit(0);
}
