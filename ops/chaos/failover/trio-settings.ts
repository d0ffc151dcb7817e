import type { EtcdProtocol } from './installed-servers.js';

/** The ports and folders of one server. */
export interface NodeSettings {
  readonly name: string;
  readonly home: string;
  readonly data: string;
  readonly port: number;
  /** Of Patroni's REST interface. */
  readonly rest: number;
}

export interface TrioSettings {
  readonly etcd: number;
  readonly protocol: EtcdProtocol;
  readonly mode: 'sync' | 'async';
  readonly postgres: string;
  readonly password: string;
}

/** YAML reads JSON. */
export const patroniSettings = (node: NodeSettings, trio: TrioSettings): string =>
  JSON.stringify({
    scope: 'svc',
    name: node.name,
    restapi: { listen: local(node.rest), connect_address: local(node.rest) },
    [trio.protocol]: { hosts: local(trio.etcd) },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 3,
        // A standby that lags is promoted only where a loss is to be seen.
        maximum_lag_on_failover: trio.mode === 'sync' ? 1_048_576 : 1_073_741_824,
        primary_start_timeout: 0,
        synchronous_mode: trio.mode === 'sync',
        synchronous_mode_strict: trio.mode === 'sync',
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: { wal_log_hints: 'on', hot_standby: 'on', dynamic_shared_memory_type: 'mmap' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
    },
    postgresql: {
      listen: local(node.port),
      connect_address: local(node.port),
      data_dir: node.data,
      bin_dir: trio.postgres,
      pgpass: `${node.data}.pgpass`,
      authentication: {
        superuser: { username: 'postgres', password: trio.password },
        replication: { username: 'replicator', password: trio.password },
      },
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
      parameters: { unix_socket_directories: node.home, shared_buffers: '32MB' },
      // Copied again instead.
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  });

/** As docs/guides/failover.md recommends it. */
export const haproxySettings = (port: number, nodes: readonly NodeSettings[]): string => `defaults
  mode tcp
  timeout connect 2s
  timeout client 24h
  timeout server 24h
  timeout check 1s
  option clitcpka
  option srvtcpka
listen primary
  bind ${local(port)}
  option httpchk
  http-check send meth OPTIONS uri /primary
  http-check expect status 200
  default-server inter 1s fastinter 500ms downinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port: postgres, rest }) => `  server ${name} ${local(postgres)} check port ${rest}\n`).join('')}`;

export const local = (port: number): string => `127.0.0.1:${port}`;
