import { isTimestamp, isUuid } from './scalars.js';

interface Format {
  /** Completes "must be …". */
  readonly description: string;
  /** Must run in linear time: the text may be hostile. */
  readonly is: (text: string) => boolean;
}

/** The names allowed in `@format`: each is checked, and appears in the schema. */
export const formats = {
  date: { description: 'a date such as 2026-01-31', is: (text) => isTimestamp(`${text}T00:00:00Z`) },
  'date-time': { description: 'a timestamp such as 2026-01-31T12:00:00Z', is: isTimestamp },
  email: { description: 'an e-mail address', is: isEmail },
  hostname: { description: 'a host name', is: isHostname },
  ipv4: { description: 'an IPv4 address', is: isIpv4 },
  ipv6: {
    description: 'an IPv6 address',
    is: (text) => text.length <= 45 && /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`),
  },
  'json-pointer': {
    description: 'a JSON Pointer',
    is: (text) => (text === '' || text.startsWith('/')) && !/~(?![01])/.test(text),
  },
  time: {
    description: 'a time with offset such as 12:00:00Z',
    is: (text) => isTimestamp(`2000-01-01T${text}`),
  },
  uri: { description: 'an absolute URI', is: isUri },
  url: {
    description: 'an http or https URL',
    is: (text) => /^https?:\/\//i.test(text) && isUri(text),
  },
  uuid: { description: 'a UUID', is: (text) => text.length === 36 && isUuid(text.toLowerCase()) },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;

export const isFormatName = (name: string): name is FormatName => Object.hasOwn(formats, name);

/** As SMTP accepts it: in ASCII, at most 64 characters before the @ and 254 in all. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || at > 64 || text.length > 254) return false;
  const local = text.slice(0, at);
  return (
    local.split('.').every((part) => /^[\w!#$%&'*+/=?^`{|}~-]+$/.test(part)) && isHostname(text.slice(at + 1))
  );
}

function isHostname(text: string): boolean {
  if (text.length > 253) return false;
  return text.split('.').every((label) => /^[\da-z](?:[\da-z-]{0,61}[\da-z])?$/i.test(label));
}

function isIpv4(text: string): boolean {
  if (text.length > 15) return false;
  const parts = text.split('.');
  return (
    parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  );
}

/** Has a scheme, and no character that must be escaped. */
function isUri(text: string): boolean {
  return (
    /^[a-z][\da-z+.-]*:[!#-;=?-[\]_a-z~]*$/i.test(text) &&
    !/%(?![\da-f]{2})/i.test(text) &&
    URL.canParse(text)
  );
}
