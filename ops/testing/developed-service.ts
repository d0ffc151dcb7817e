import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withDatabase } from '../../runtime/kit/database.js';
import { cli, withNewService } from './new-service.js';
import { listeningTo, type SpawnedHost, startProgram } from './spawned-host.js';

export const bookId = '018f0000-0000-7000-8000-000000000001';

export async function borrow(url: string, book: string) {
  const response = await fetch(`${url}/loans`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close', prefer: 'wait=20' },
    body: JSON.stringify({ bookId: book, reader: 'Ada' }),
  });
  return { status: response.status, body: await response.text() };
}

export const loans = async (url: string): Promise<string> =>
  (await fetch(`${url}/loans`, { headers: { connection: 'close' } })).text();

export interface Session {
  readonly host: SpawnedHost;
  readonly dir: string;
}

/** Runs `svc dev` on a new service, and lends both. */
export const developing = (
  env: (dir: string) => Readonly<Record<string, string>>,
  body: (host: SpawnedHost, dir: string) => Promise<void>,
): Promise<void> =>
  withNewService((dir) =>
    listeningTo(startProgram(process.execPath, [cli, 'dev', dir], env(dir)), (host) => body(host, dir)),
  );

/** The same on a given database. */
export const developingOnDatabase = (body: (session: Session) => Promise<void>): Promise<void> =>
  withDatabase((DATABASE_URL) =>
    developing(
      () => ({ DATABASE_URL }),
      (host, dir) => body({ host, dir }),
    ),
  );

export async function edit(dir: string, file: string, from: string, to: string): Promise<void> {
  const path = join(dir, 'src', file);
  await writeFile(path, (await readFile(path, 'utf8')).replace(from, to));
}

export const timesListening = ({ output }: SpawnedHost): number =>
  output.stdout.join('').split('"msg":"listening"').length - 1;
