import { isUnstorable, unstorable } from '../../../contracts/codec-scalars.js';
import { RebuildMode } from '../../../contracts/perspective.js';
import { Problem } from '../../../contracts/problems.js';
import type { RebuildRequest } from '../../../runtime/perspectives/rebuild-request.js';
import { type Query, textIn } from '../../../endpoints/access/query-text.js';
import { wholeIn } from './query.js';
import type { PerspectivesPart } from '../model/perspectives.js';
import type { ConsoleHost, ConsoleSource } from '../model/source.js';

export interface Asked {
  readonly query: Query;
  readonly params: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Who asks, as far as it is known. */
  readonly actor: string;
}

export type Answer = (host: ConsoleHost, asked: Asked) => unknown;

const mostRows = 200;
const usualRows = 100;

/** What the page reads, by path below `/console/api`. */
export const reads: Readonly<Record<string, Answer>> = {
  '/host': ({ about }) => about,
  '/machine': (host) => has(host, 'lifecycle').machine,
  '/lifecycle': (host) => has(host, 'lifecycle').figures(),
  '/requests': (host, { query }) =>
    has(host, 'lifecycle').requests(textIn(query, 'search') ?? '', rowsIn(query)),
  '/requests/:id': async (host, { params: { id = '' } }) =>
    (await has(host, 'lifecycle').request(id)) ?? absent(`The request ${id} is no longer remembered.`),
  '/system': (host, { query }) =>
    has(host, 'system').page(
      {
        type: textIn(query, 'type'),
        user: textIn(query, 'user'),
        tenant: textIn(query, 'tenant'),
        correlation: textIn(query, 'correlation'),
      },
      wholeIn(query, 'before', Number.MAX_SAFE_INTEGER),
      rowsIn(query),
    ),
  '/system/:position': async (host, { params: { position = '' } }) =>
    (await has(host, 'system').record(numberOf(position))) ?? absent(`There is no record at ${position}.`),
  '/perspectives': (host) => has(host, 'perspectives').list(),
  '/outbox': (host) => has(host, 'outbox').figures(),
  '/dead-letters': (host) => has(host, 'outbox').deadLetters(),
  '/dead-letters/:id': async (host, { params: { id = '' } }) =>
    (await has(host, 'outbox').deadLetter(numberOf(id))) ?? absent(`There is no dead letter ${id}.`),
  '/actors': (host) => has(host, 'actors')(),
  '/health': (host) => has(host, 'health')(),
  '/overview': (host) => has(host, 'overview')(),
};

/** What a read may be asked with besides the host, by its path. */
export const parameters: Readonly<Record<string, readonly string[]>> = {
  '/requests': ['search', 'limit'],
  '/system': ['type', 'user', 'tenant', 'correlation', 'before', 'limit'],
};

/** What changes nothing and yet is work, by path below `/console/api`; each is a POST, so that nothing repeats it by itself. */
export const inquiries: Readonly<Record<string, Answer>> = {
  '/system/verify': (host) => has(host, 'system').verify(),
};

/** What an operator does, by path below `/console/api`; each is a POST. */
export const deeds: Readonly<Record<string, Answer>> = {
  '/perspectives/:name/rebuild': async (host, asked) => {
    const { name = '' } = asked.params;
    const perspectives = has(host, 'perspectives');
    const { rebuild } = perspectives;
    if (rebuild === undefined) throw none('This host cannot rebuild perspectives.');
    const request = rebuildIn(asked.body);
    const reason = reasonIn(asked.body);
    await mustKnow(perspectives, name);
    await rebuild(name, request);
    await recorded(host, asked, 'perspectives rebuild', name, reason);
    return { rebuilding: name, ...request };
  },
  '/perspectives/:name/release': async (host, asked) => {
    const { name = '' } = asked.params;
    const perspectives = has(host, 'perspectives');
    const reason = reasonIn(asked.body);
    await mustKnow(perspectives, name);
    const released = await perspectives.release(name);
    await recorded(host, asked, 'perspectives release', name, reason);
    return { released };
  },
  '/dead-letters/:id/replay': async (host, asked) => {
    const { id = '' } = asked.params;
    const reason = reasonIn(asked.body);
    const answer = resolved(id, 'replaying', await has(host, 'outbox').replay(numberOf(id)));
    await recorded(host, asked, 'dead-letters replay', id, reason);
    return answer;
  },
  '/dead-letters/:id/discard': async (host, asked) => {
    const { id = '' } = asked.params;
    const reason = reasonIn(asked.body);
    if (reason === undefined) throw refused('Say why: a message is discarded with a reason.');
    const answer = resolved(id, 'discarded', await has(host, 'outbox').discard(numberOf(id), reason));
    await recorded(host, asked, 'dead-letters discard', id, reason);
    return answer;
  },
};

async function recorded(
  host: ConsoleHost,
  { actor }: Asked,
  action: string,
  target: string,
  reason: string | undefined,
): Promise<void> {
  await host.record?.({ action, target, actor, reason });
}

/** Nothing but blanks is no reason. */
function reasonIn(body: unknown): string | undefined {
  const reason = memberOf(body, 'reason');
  if (reason === undefined) return undefined;
  if (!isReason(reason))
    throw refused(`reason must be a text of at most 500 characters without ${unstorable}.`);
  return reason.trim() || undefined;
}

const modes = Object.values(RebuildMode);

/** What it wants to have; whether that can be had is said when it is begun. */
function rebuildIn(body: unknown): RebuildRequest {
  const {
    mode,
    streams,
    maxRate,
    force,
    reason: _,
    ...others
  } = { ...(body as object | undefined) } as Wanted;
  const known = modes.find((one) => one === mode);
  if (known === undefined) throw refused(`mode must be one of ${modes.join(', ')}.`);
  if (streams !== undefined && !isTexts(streams)) throw refused('streams must be a list of stream ids.');
  if (maxRate !== undefined && !isRate(maxRate))
    throw refused(`maxRate must be a whole number of events per second, from 1 to ${mostRate}.`);
  if (force !== undefined && typeof force !== 'boolean') throw refused('force must be true or false.');
  const [stranger] = Object.keys(others);
  if (stranger !== undefined)
    throw refused(`A rebuild takes mode, streams, maxRate, force and reason, not ${stranger}.`);
  return {
    mode: known,
    ...(streams === undefined ? {} : { streams }),
    ...(maxRate === undefined ? {} : { maxRate }),
    ...(force === undefined ? {} : { force }),
  };
}

type Wanted = Readonly<Record<string, unknown>>;

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** As on the command line. */
const mostRate = 999_999_999;

const isRate = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= mostRate;

const isReason = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 500 && !isUnstorable(value);

/** The host that is asked about by `?host=` and `?origin=`. */
export function hostIn(source: ConsoleSource, query: Query): ConsoleHost {
  const host = textIn(query, 'host');
  const found = source.at({ host, origin: textIn(query, 'origin') });
  if (found !== undefined) return found;
  throw none(host === undefined ? 'No host is there.' : `There is no host ${host}.`);
}

type Part = Exclude<keyof ConsoleHost, 'about' | 'record'>;

function has<P extends Part>(host: ConsoleHost, part: P): NonNullable<ConsoleHost[P]> {
  const found = host[part];
  if (found === undefined) throw none(`${host.about.host} has no ${part} to show.`);
  return found;
}

async function mustKnow(perspectives: PerspectivesPart, name: string): Promise<void> {
  const list = await perspectives.list();
  if (!list.some((known) => known.name === name)) throw none(`There is no perspective ${name}.`);
}

const rowsIn = (query: Query): number => wholeIn(query, 'limit', mostRows) ?? usualRows;

function numberOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw none(`'${text}' is no number.`);
}

const memberOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;

function resolved(id: string, state: string, done: boolean): unknown {
  if (done) return { id: Number(id), state };
  throw none(`There is no dead letter ${id} that still waits.`);
}

function absent(detail: string): never {
  throw none(detail);
}

const none = (detail: string): Problem => new Problem('not-found', { detail });
const refused = (detail: string): Problem => new Problem('invalid-query', { detail });
