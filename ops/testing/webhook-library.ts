import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApiKey } from '../../runtime/access/change-api-keys.js';
import { startHttpsServer } from '../../runtime/testing/https-server.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { cliEditor } from '../cli/access-editor.js';
import { readConfig } from '../config/config.js';
import { startHost } from '../host/host.js';
import { loadService } from '../service/load-service.js';
import { svcAdd } from './adding.js';
import { build, withNewService } from './new-service.js';

/** One call that a receiver has got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface WebhookLibrary {
  /** Where webhooks of the tests are called. */
  readonly receiver: string;
  readonly received: Received[];
  /** What a path answers: 204 by default, and nothing where the status is 0. */
  readonly answers: Map<string, { readonly status: number; readonly headers?: Record<string, string> }>;
  readonly keys: Readonly<Record<'north' | 'south' | 'clerk', string>>;
  /** Of the key of the clerk. */
  readonly clerkId: string;
  call(key: string, path: string, body: object): Promise<{ status: number; body: unknown }>;
  read(key: string, path: string): Promise<{ readonly data: readonly Record<string, unknown>[] }>;
  rows(text: string): Promise<readonly (readonly (string | null)[])[]>;
}

const built = fileURLToPath(new URL('../../', import.meta.url));

/** A new service with what `svc add webhooks` writes; TEST_WEBHOOKS has the options of its sender. */
export const withWebhookService = <T>(body: (dir: string) => Promise<T>): Promise<T> =>
  withNewService(async (dir) => {
    await svcAdd(dir, 'webhooks');
    const sender = join(dir, 'src/webhooks/sender.ts');
    const options = `JSON.parse(process.env['TEST_WEBHOOKS'] ?? '{}') as object`;
    await writeFile(sender, (await readFile(sender, 'utf8')).replace(/\]\);\n$/, `], ${options});\n`));
    await build(dir);
    // Compiled with the types of the package, it runs on the modules of this process.
    await rm(join(dir, 'node_modules/svc-runtime'));
    await symlink(built, join(dir, 'node_modules/svc-runtime'));
    return await body(dir);
  });

/** Such a service on a host, and a receiver on the loopback interface. */
export const withWebhookLibrary = (body: (library: WebhookLibrary) => Promise<void>): Promise<void> =>
  withWebhookService((dir) => withReceiver((receiving) => withLibrary(dir, receiving, body)));

type Receiving = Pick<WebhookLibrary, 'receiver' | 'received' | 'answers'>;

async function withReceiver(body: (receiving: Receiving) => Promise<void>): Promise<void> {
  const received: Received[] = [];
  const answers: WebhookLibrary['answers'] = new Map();
  const server = await startHttpsServer((request, response) => {
    const { url: path = '', headers } = request;
    void textOf(request).then((text) => {
      received.push({ path, headers, body: text });
      const { status, headers: more } = answers.get(path) ?? { status: 204 };
      if (status !== 0) response.writeHead(status, more).end();
    });
  });
  const { port, authority } = server;
  const options = { allowedAddresses: ['127.0.0.1', '::1'], allowedPorts: [port], authorities: [authority] };
  process.env['TEST_WEBHOOKS'] = JSON.stringify(options);
  try {
    await body({ receiver: server.url, received, answers });
  } finally {
    delete process.env['TEST_WEBHOOKS'];
    await server.close();
  }
}

const withLibrary = (
  dir: string,
  receiving: Receiving,
  body: (library: WebhookLibrary) => Promise<void>,
): Promise<void> =>
  withMigratedDatabase(async ({ url: databaseUrl, connect }) => {
    const config = readConfig({
      SVC_PORT: '0',
      DATABASE_URL: databaseUrl,
      SVC_AUTH: 'api-key',
      SVC_LOG: 'silent',
      SVC_MASTER_KEY: randomBytes(32).toString('base64'),
    });
    const [owner, editor] = [connect({ owner: true }), cliEditor(config)];
    const permissions = ['loans:write', 'book:read', 'webhooks:admin'];
    const keyOf = (name: string, tenantId: string) =>
      createApiKey(owner, editor, { name, permissions, tenantId });
    const [north, south, clerk] = [
      await keyOf('north', 'north'),
      await keyOf('south', 'south'),
      await keyOf('clerk', 'north'),
    ];
    const host = await startHost(await loadService(dir), config);
    try {
      await body({
        ...receiving,
        keys: { north: north.key, south: south.key, clerk: clerk.key },
        clerkId: clerk.id,
        // An answer may hold a secret, which other tests take for a leak.
        call: async (key, path, value) => {
          const headers = { 'content-type': 'application/json', 'x-api-key': key };
          const answer = await fetch(host.url + path, {
            method: 'POST',
            headers,
            body: JSON.stringify(value),
          });
          const text = await answer.text();
          return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
        },
        read: async (key, path) =>
          (await (await fetch(host.url + path, { headers: { 'x-api-key': key } })).json()) as Awaited<
            ReturnType<WebhookLibrary['read']>
          >,
        rows: (text) => owner.rows({ text }),
      });
    } finally {
      await host.stop();
    }
  });
