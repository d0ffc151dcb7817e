import { code, page, table } from './markdown.js';

/** Every variable that a program of this package reads: its default, and what it does. */
export const variables: Readonly<Record<string, readonly [fallback: string, does: string]>> = {
  SVC_PORT: ['3000', 'the port; 0 picks a free one. `svc monitor`: 3030'],
  SVC_BIND: [
    '127.0.0.1',
    'the address to listen on; another one needs `SVC_AUTH`, or an authenticator of the service',
  ],
  SVC_NAME: ['the host name', 'the name of the host in events; supervised hosts get `-1` to `-N`'],
  SVC_DATA_DIR: [
    '.svc',
    'where the embedded PostgreSQL and the supervisor keep their files; if it is set, hosts also note there what they have seen of their store, so that after a restart they notice if it went back',
  ],
  DATABASE_URL: [
    'unset',
    'PostgreSQL; several servers as `postgres://user@a,b:5433/db`: the one that accepts writes is used; unset: an embedded server in the data directory, and the code of the service finds its URL here',
  ],
  DATABASE_OWNER_URL: ['DATABASE_URL', 'the connection that migrates and rebuilds'],
  SVC_DURABILITY: [
    'local',
    'what an answer promises. `local`: the commit is on the disk of the primary; `sync`: a standby has it too, and without one the answer is 503; `async`: a failover may lose it, and the loss is reported. If this is set, a server with `fsync` off is refused',
  ],
  SVC_MASTER_KEY: [
    'unset',
    '32 random bytes in base64, which wrap the keys of subjects; needed if an event has a field marked `@Sensitive({ subject })`; the same on every host',
  ],
  SVC_MASTER_KEY_OLD: [
    'unset',
    'the master key before, while [`svc store rotate-master`](../operations/rotate-keys.md#master-key) replaces it; hosts read with both',
  ],
  AWS_ACCESS_KEY_ID: [
    'unset',
    '[`svc segments archive`](../guides/archive.md#places) to a bucket: who writes and reads it',
  ],
  AWS_SECRET_ACCESS_KEY: ['unset', 'the secret of `AWS_ACCESS_KEY_ID`'],
  AWS_SESSION_TOKEN: ['unset', 'the token of temporary credentials'],
  AWS_REGION: ['us-east-1', 'the region of the bucket'],
  AWS_ENDPOINT_URL_S3: ['that of AWS in the region', 'the URL of another server that speaks S3'],
  NATS_URL: [
    'unset',
    'the broker; several servers of a cluster as `nats://a:4222,b:4222`; unset: messages stay in the process',
  ],
  NATS_USER: ['unset', 'the user at the broker, with `NATS_PASSWORD`'],
  NATS_PASSWORD: ['unset', 'the password of `NATS_USER`'],
  NATS_TOKEN: ['unset', 'a token for the broker'],
  NATS_CREDS: ['unset', 'a credentials file for the broker, as `nsc` writes it; read for every connection'],
  NATS_NKEY: ['unset', 'a file with the seed of an nkey; read for every connection'],
  NATS_TLS_CA: ['unset', 'a file with the authority that signed the certificate of the broker'],
  NATS_TLS_CERT: ['unset', 'a file with the certificate of this host, with `NATS_TLS_KEY`'],
  NATS_TLS_KEY: ['unset', 'a file with the key of `NATS_TLS_CERT`'],
  SVC_NAMESPACE: [
    'svc',
    'the first part of all subjects and consumers and, in capitals, of the streams at the broker, so that stores can share one: lower-case letters, digits and `-`. The store records it; also read by `svc generate`',
  ],
  SVC_MESSAGE_FORMAT: [
    'msgpack',
    '`msgpack` or `cloudevents`: how messages are published to NATS; both are received',
  ],
  AMQP_URL: ['unset', 'if set, an AMQP broker is checked as `amqp_broker`; needs the package amqplib'],
  SVC_AUDIT: ['all', '`all`, `events`, `commands` or `off`: which system events are stored'],
  SVC_AUDIT_MODE: ['OptOut', '`OptOut`: all types but excluded ones; `OptIn`: only marked types'],
  SVC_BROADCAST: ['0', '1: system events are also published, for monitors'],
  SVC_STORE_TRUST: [
    '`pin` if the broker is local or asks for credentials, else `strict`',
    '`pin`: a new store is trusted from its first message on; `strict`: it waits for [`svc stores trust`](../guides/trust-between-stores.md)',
  ],
  SVC_SIGN_MESSAGES: [
    '0',
    '1: domain messages are [signed one by one](../guides/trust-between-stores.md#signed-messages)',
  ],
  SVC_SIGNING_KEY: [
    'made by the first host, and kept in the store',
    'the Ed25519 key that signs the heads of the audit chain: 32 bytes in base64, or PKCS#8 PEM; the same for all hosts of a store',
  ],
  SVC_SIGNING_KEY_OLD: [
    'unset',
    'the signing key before, while [`svc store rotate-key`](../operations/rotate-keys.md#signing-key-of-a-store) replaces it; hosts sign with the one that the store has',
  ],
  SVC_DEADLINE_MS: ['30000', 'how long a command may take, also one of a reaction, process or timer'],
  SVC_BODY_LIMIT: ['1048576', 'the largest body, in bytes'],
  SVC_TENANT_WEIGHTS: [
    'unset',
    'how many turns tenants have where commands or commits wait, 1 to 100, such as `north=10,south=2`; the others have 1',
  ],
  SVC_LIVE_WATCHERS: ['5000', 'how many live streams a host serves; one caller may have a fifth of them'],
  SVC_REVISION: [
    'set by `svc deploy`; unset: the version of the service, else of svc-runtime',
    'the name of the build that runs; every answer has it as the header `svc-revision`',
  ],
  SVC_PATIENCE_MS: [
    '1500',
    'under `svc supervise`: a host whose event loop is blocked for longer is replaced',
  ],
  SVC_REBUILD_THREADS: ['cores − 1', 'threads of a long rebuild; 1: only its own'],
  SVC_INSPECT: ['1 in development', 'console, inspector and machines: 0 or 1'],
  SVC_INSPECT_TOKEN: ['unset', 'allows looking; required if it is set; at least 32 bytes'],
  SVC_OPERATOR_TOKEN: ['generated at startup in development', 'allows acting and looking; at least 32 bytes'],
  SVC_AUTH: [
    'unset',
    '`jwt`, `api-key` or `jwt,api-key`: how callers authenticate; `none`: a proxy in front controls access; unset: only this machine may connect',
  ],
  SVC_JWT_SECRET: ['unset', '`SVC_AUTH=jwt`: the shared key of HS256, at least 32 bytes'],
  SVC_JWT_JWKS_URL: [
    'unset',
    '`SVC_AUTH=jwt`: where the issuer publishes its keys (RS256, PS256, ES256, EdDSA); https, or http on this machine',
  ],
  SVC_JWT_ISSUER: ['unset', 'the `iss` of every token; required with `SVC_JWT_JWKS_URL`'],
  SVC_JWT_AUDIENCE: ['unset', 'the `aud` of every token; required with `SVC_JWT_JWKS_URL`'],
  SVC_RATE_LIMIT: [
    'unset',
    'such as `100/s` or `1000/min`: how many requests one identity, or one address without an identity, may send; each process counts for itself',
  ],
  SVC_TENANT_RATE_LIMIT: [
    'unset',
    'such as `1000/s`: how many requests all callers of one tenant together may send; each process counts for itself',
  ],
  SVC_TRUSTED_PROXIES: [
    'unset',
    'addresses and networks, separated by commas: the proxies whose `X-Forwarded-For` or `Forwarded` names the client',
  ],
  SVC_CORS_ORIGINS: [
    'unset',
    'such as `https://shop.example,https://admin.example`: the sites whose pages may use the service; `*`: every site',
  ],
  SVC_ACTOR: ['the operating-system user', 'who acts on the command line, for the audit'],
  SVC_MOVE_PASSWORD: [
    'unset',
    '[`svc store move`](../guides/move-a-store.md): the password for the database in `--to`, which should not contain it',
  ],
  SVC_CHECK_KEY: ['unset', '`svc check post`: the API key or token that it sends'],
  SVC_LOG: [
    'info',
    '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`, which alone leaves out the address',
  ],
  SVC_FAILPOINTS: ['unset', 'where the process dies, for tests of crashes; refused in production'],
  NODE_ENV: ['unset', '`production`: inspection is off unless asked for'],
  NOTIFY_SOCKET: ['set by systemd', 'where the supervisor reports that it is ready'],
  WATCHDOG_USEC: ['set by systemd', 'how often the supervisor reports that it is alive'],
  WATCHDOG_PID: ['set by systemd', 'the process that the watchdog is for'],
  KUBECONFIG: ['~/.kube/config', 'the file that gives the kubernetes driver access to a cluster'],
  KUBERNETES_SERVICE_HOST: [
    'set in a pod',
    'without `KUBECONFIG`: the API server, reached with the account of the pod',
  ],
  KUBERNETES_SERVICE_PORT: ['set in a pod', 'the port of the API server'],
  SVC_TEST_DATABASE_URL: ['unset', '`svc-runtime/testing`: a running server, instead of one per test'],
  SVC_TEST_POSTGRES: [
    'unset',
    'for tests of svc-runtime itself: the folder of a package whose PostgreSQL is embedded instead of the installed one',
  ],
};

export const environmentPage = (): string =>
  page(
    'Environment',
    'Every environment variable, its default and its effect.',
    `All are optional. A host reports every wrong value at once and does not start. A value that may contain a password
is never repeated in an error. A name that is nearly one of these is a warning: _SVC_PROT has
no effect; did you mean SVC_PORT?_

${table(
  ['variable', 'default', 'effect'],
  Object.entries(variables).map(([name, [fallback, does]]) => [code(name), fallback, does]),
)}`,
  );
