import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { claim } from './claim.js';
import { withNatsServer } from './nats-server.js';
import { withFolder } from '../kit/temporary-folder.js';

/** One broker for a whole test run, and where its accounts are claimed. */
interface SharedNats {
  readonly url: string;
  readonly claims: string;
}

/** More than a run uses: an account has no user before and none after. */
const accounts = 256;

/** Subjects, streams and consumers of one account are invisible to the others. */
const configuration = (): string => {
  const account = (_: unknown, n: number): string =>
    `  test${n} { jetstream: enabled, users: [ { user: test${n}, password: test${n} } ] }\n`;
  return `accounts {\n${Array.from({ length: accounts }, account).join('')}}\n`;
};

export const withSharedNats = (body: (shared: SharedNats) => Promise<void>): Promise<void> =>
  withFolder(async (folder) => {
    const [settings, claims] = [join(folder, 'nats.conf'), join(folder, 'claims')];
    await writeFile(settings, configuration());
    await mkdir(claims);
    await withNatsServer(({ url }) => body({ url, claims }), ['-c', settings]);
  });

/** Provides the broker of NATS_URL, or an empty one; for tests that do it no harm. */
export const withNats = (body: (url: string) => Promise<void>): Promise<void> => {
  const given = process.env['NATS_URL'];
  return given !== undefined && given !== '' ? body(given) : withEmptyNats(body);
};

/** Provides an account of the shared broker, or a separate broker; for tests that neither stop nor configure it. */
export async function withEmptyNats(body: (url: string) => Promise<void>): Promise<void> {
  const account = await claimedAccount();
  return account === undefined ? withNatsServer(({ url }) => body(url)) : body(account);
}

async function claimedAccount(): Promise<string | undefined> {
  const [shared, claims] = [process.env['SVC_TEST_NATS_URL'], process.env['SVC_TEST_NATS_CLAIMS']];
  if (!shared || !claims) return undefined;
  const number = await claim(claims, accounts);
  if (number === undefined) return undefined;
  const user = `test${number}`;
  return Object.assign(new URL(shared), { username: user, password: user }).href;
}
