import assert from 'node:assert/strict';
import { post } from '../../endpoints/testing/http-client.js';
import type { Transport } from '../../contracts/transport.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { until } from '../../runtime/kit/until.js';
import { readConfig } from '../config/config.js';
import { type Host, startHost } from '../host/host.js';
import { liveNotes, type Note } from './live-notes.js';
import { LiveReader } from './live-reader.js';

type Headers = Readonly<Record<string, string>>;

interface LiveHostOptions {
  readonly definition?: ServiceDefinition;
  readonly env?: Headers;
  readonly count?: number;
  readonly transport?: Transport;
}

/** Provides hosts of one store. */
export const withLiveHosts = (
  { definition = liveNotes, env = {}, count = 1, transport }: LiveHostOptions,
  body: (hosts: readonly Host[], start: () => Promise<Host>, databaseUrl: string) => Promise<void>,
): Promise<void> =>
  withStore(async (url) => {
    const config = readConfig({ SVC_PORT: '0', DATABASE_URL: url, SVC_LOG: 'silent', ...env });
    const hosts: Host[] = [];
    const start = async (): Promise<Host> => {
      const host = await startHost(definition, config, transport);
      hosts.push(host);
      return host;
    };
    try {
      for (let n = 0; n < count; n++) await start();
      await body([...hosts], start, url);
    } finally {
      for (const host of hosts) await host.stop();
    }
  });

/** The same for all tests of a file: each start takes longer than a test. */
export function sharedHosts(options: LiveHostOptions): {
  start(): Promise<void>;
  readonly hosts: readonly Host[];
  readonly databaseUrl: string;
  stop(): Promise<void>;
} {
  let hosts: readonly Host[] = [];
  let databaseUrl = '';
  let release = (): void => undefined;
  let running: Promise<void> = Promise.resolve();
  return {
    start: () =>
      new Promise((resolve, reject) => {
        running = withLiveHosts(options, (started, _start, url) => {
          hosts = started;
          databaseUrl = url;
          resolve();
          return new Promise<void>((end) => (release = end));
        });
        running.catch(reject);
      }),
    get hosts() {
      return hosts;
    },
    get databaseUrl() {
      return databaseUrl;
    },
    stop: () => {
      release();
      return running;
    },
  };
}

/** Writes a note and waits until its rows can be read. */
export async function writeNote(
  url: string,
  note: Partial<Note> & Pick<Note, 'noteId'>,
  headers: Headers = {},
): Promise<void> {
  const whole = { text: 'x', shelf: 'a', n: 0, userId: '', ...note };
  const answer = await post(url, whole, { path: '/write', headers: { prefer: 'wait=20', ...headers } });
  assert.equal(answer.status, 200, answer.text);
}

/** Opens a stream; a new one is ready when it returns. */
export async function watch(url: string, path: string, headers: Headers = {}): Promise<LiveReader> {
  const reader = await LiveReader.open(url + path, headers);
  assert.equal(reader.response.status, 200);
  if (headers['last-event-id'] === undefined) await reader.has(1, 'ready');
  return reader;
}

/** What a stream sent, without its start: the kind, the row, and its number. */
export const sentTo = (reader: LiveReader): string[] =>
  reader.events
    .filter(({ event }) => event !== 'ready')
    .map(({ event, data: { id = '', row } }) =>
      `${event} ${id} ${row === undefined ? '' : Number(row['n'])}`.trim(),
    );

/** Waits until a stream has sent exactly this. */
export async function sends(reader: LiveReader, ...expected: readonly string[]): Promise<void> {
  await until(() => sentTo(reader).length >= expected.length);
  assert.deepEqual(sentTo(reader), expected);
}
