import type { TraceState } from '@opentelemetry/api';

const member = /^([a-z0-9][a-z0-9_\-*/@]{0,255})=([ -+\--<>-~]{0,255}[!-+\--<>-~])$/;
const maxMembers = 32;

/** A `tracestate` of W3C Trace Context; a list with one member that is not valid is not passed on at all. */
export function traceStateOf(header: string): TraceState | undefined {
  const entries = new Map<string, string>();
  let count = 0;
  for (const part of header.split(',')) {
    const text = trimmed(part);
    if (text === '') continue;
    const [, key, value] = member.exec(text) ?? [];
    if (key === undefined || value === undefined || ++count > maxMembers) return undefined;
    if (!entries.has(key)) entries.set(key, value);
  }
  return entries.size === 0 ? undefined : new Members(entries);
}

const mostCarried = 512;
const longMember = 128;

/** The part of a `tracestate` that messages carry: long members are left out first, then those at the end. */
export function carriedTraceState(header: string): string | undefined {
  const whole = traceStateOf(header)?.serialize();
  if (whole === undefined || whole.length <= mostCarried) return whole;
  const kept = whole.split(',').filter((text) => text.length <= longMember);
  while (kept.join(',').length > mostCarried) kept.pop();
  return kept.length === 0 ? undefined : kept.join(',');
}

/** Optional white space of HTTP: nothing but blanks and tabs. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start++;
  while (end > start && isBlank(text[end - 1])) end--;
  return text.slice(start, end);
}

const isBlank = (letter: string | undefined): boolean => letter === ' ' || letter === '\t';

/** That of the API accepts fewer keys, and leaves out single members. */
class Members implements TraceState {
  readonly #entries: ReadonlyMap<string, string>;

  constructor(entries: ReadonlyMap<string, string>) {
    this.#entries = entries;
  }

  get(key: string): string | undefined {
    return this.#entries.get(key);
  }

  /** What was changed last comes first. */
  set(key: string, value: string): TraceState {
    const others = this.#without(key).slice(0, maxMembers - 1);
    return new Members(new Map([[key, value], ...others]));
  }

  unset(key: string): TraceState {
    return new Members(new Map(this.#without(key)));
  }

  serialize(): string {
    return [...this.#entries].map(([key, value]) => `${key}=${value}`).join(',');
  }

  #without(key: string): (readonly [string, string])[] {
    return [...this.#entries].filter(([other]) => other !== key);
  }
}
