/** Why the broker cannot be used, on one line with a remedy; never contains a credential. */
export function reasonOf(error: unknown): string {
  const { code, chainedError, message } = detailsOf(error);
  const cause = chainedError === undefined ? undefined : detailsOf(chainedError);
  const known = hints.find(([pattern]) => pattern.test(cause?.code ?? '') || pattern.test(code));
  const text = withoutCredentials((cause?.message ?? message).replaceAll(/\s+/g, ' ')).slice(0, maxLength);
  return known === undefined ? text : `${known[1]} (${text})`;
}

const maxLength = 200;

const hints: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:AUTHORIZATION_VIOLATION|AUTHENTICATION_|BAD_AUTHENTICATION|BAD_CREDS)/,
    'it rejected the credentials; check the user and the password of NATS_URL, or NATS_CREDS, NATS_NKEY, NATS_USER and NATS_TOKEN',
  ],
  [
    /^PERMISSIONS_VIOLATION/,
    'it does not permit this; check the permissions of the user of NATS_URL against generated/nats-permissions.json',
  ],
  [/^ENOTFOUND|^EAI_AGAIN/, 'its name cannot be resolved; check the host of NATS_URL'],
  [/^ECONNREFUSED/, 'nothing listens there; check the host and the port of NATS_URL, or start it'],
  [/^SERVER_OPT_NA|^EPROTO|^ERR_SSL/, 'TLS is enabled on one side only; check tls:// or nats:// in NATS_URL'],
  [
    /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS)/,
    'its certificate is not trusted; name its authority with NATS_TLS_CA',
  ],
  [/^(?:TIMEOUT|CONNECTION_TIMEOUT|ETIMEDOUT)$/, 'it does not respond in time'],
];

interface Details {
  readonly code: string;
  readonly message: string;
  readonly chainedError: unknown;
}

function detailsOf(error: unknown): Details {
  const { code, message, chainedError } = (error ?? {}) as Partial<Record<keyof Details, unknown>>;
  return {
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : 'no reason given',
    chainedError,
  };
}

/** Any quoted URL may contain them. */
const withoutCredentials = (text: string): string => text.replaceAll(/\/\/[^/@\s]*@/g, '//');
