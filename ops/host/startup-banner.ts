import { resolve } from 'node:path';
import type { Registry } from '../../endpoints/service-definition.js';
import type { EmbeddedServer } from '../../runtime/database/embedded-server.js';
import { firstServerUrl, serverHosts } from '../../runtime/database/server-list.js';
import { defaultNamespace } from '../../runtime/transport/nats-names.js';
import { natsServersOf } from '../../runtime/transport/nats-servers.js';
import type { Config } from '../config/config.js';
import { consoleLink } from '../config/generated-token.js';

type BannerConfig = Pick<Config, 'inspect' | 'databaseUrl' | 'dataDir' | 'natsUrl' | 'generatedToken'> & {
  readonly namespace?: string;
  readonly embedded?: Pick<EmbeddedServer, 'url' | 'passwordFile'> | undefined;
};

/** The addresses of a host, printed at start. */
export function startupBanner(
  url: string,
  { openApi, schema = '' }: Pick<Registry, 'openApi' | 'schema'>,
  config: BannerConfig,
): string {
  const entries: readonly (readonly [string, string])[] = [
    ...(openApi === undefined ? [] : [['API', `${url}/docs`] as const]),
    ...(schema === '' ? [] : [['GraphQL', `${url}/graphql`] as const]),
    ...(config.inspect ? [['console', consoleLink(url, config.generatedToken)] as const] : []),
    ['health', `${url}/health`],
    ['metrics', `${url}/metrics`],
    ['data', databaseText(config)],
    ...(config.embedded === undefined ? [] : [['psql', psqlText(config.embedded)] as const]),
    [
      'messages',
      config.natsUrl === undefined
        ? 'in this process'
        : `NATS at ${natsServersOf(config.natsUrl)?.hosts.join(',')}${namespaceText(config)}`,
    ],
  ];
  return entries.map(([name, value]) => `          ${name.padEnd(9)} ${value}\n`).join('');
}

const databaseText = ({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string =>
  databaseUrl === undefined
    ? `embedded PostgreSQL in ${resolve(dataDir)}`
    : `PostgreSQL at ${serverHosts(databaseUrl)}${firstServerUrl(databaseUrl).pathname}`;

/** The password stays in its file: what a terminal shows is copied into tickets and chats. */
function psqlText({ url, passwordFile }: Pick<EmbeddedServer, 'url' | 'passwordFile'>): string {
  const { hostname, port, username, pathname } = new URL(url);
  return `PGPASSWORD=$(cat ${passwordFile}) psql -h ${hostname} -p ${port} -U ${username} ${pathname.slice(1)}`;
}

const namespaceText = ({ namespace = defaultNamespace }: BannerConfig): string =>
  namespace === defaultNamespace ? '' : `, namespace ${namespace}`;
