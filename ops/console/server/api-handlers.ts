import { RebuildMode } from '../../../contracts/perspective.js';
import type { RebuildRequest } from '../../../runtime/perspectives/rebuild/rebuild-request.js';
import { type Query, textParameter } from '../../../endpoints/access/query-parameters.js';
import { actedBy, invalidBody, memberOf, reasonIn, textIn } from './action-body.js';
import type { ApiHandler } from './api-handler.js';
import { notFound, numberOf, partOf, throwNotFound } from './host-parts.js';
import { rowsIn, rowsWantedIn, systemFilterIn, systemParameters, wholeNumberIn } from './query-parameters.js';
import { effectParameters, effectReads } from './effect-reads.js';
import { processActions } from './process-actions.js';
import { processParameters, processReads } from './process-reads.js';
import { streamReads } from './stream-reads.js';
import { stuckActions, stuckParameters, stuckReads } from './stuck-handlers.js';
import type { PerspectivesPart } from '../model/perspectives.js';
import type { ConsoleHost, ConsoleSource } from '../model/console-source.js';

/** The reads of the page, by path below `/console/api`. */
export const reads: Readonly<Record<string, ApiHandler>> = {
  '/host': ({ about }) => about,
  '/machine': (host) => partOf(host, 'lifecycle').machine,
  '/lifecycle': (host) => partOf(host, 'lifecycle').figures(),
  '/requests': (host, { query }) =>
    partOf(host, 'lifecycle').requests(textParameter(query, 'search') ?? '', rowsIn(query)),
  '/requests/:id': async (host, { params: { id = '' } }) =>
    (await partOf(host, 'lifecycle').request(id)) ??
    throwNotFound(`There is no request ${id}: no host remembers it, and no record has it.`),
  '/system': (host, { query }) =>
    partOf(host, 'system').page(
      systemFilterIn(query),
      wholeNumberIn(query, 'before', Number.MAX_SAFE_INTEGER),
      rowsIn(query),
    ),
  '/system-facets': (host, { query }) => partOf(host, 'system').facets(systemFilterIn(query)),
  '/deployments': (host) => partOf(host, 'deployments')(),
  '/machines': (host) => partOf(host, 'machines')(),
  '/system/:position': async (host, { params: { position = '' } }) =>
    (await partOf(host, 'system').record(numberOf(position))) ??
    throwNotFound(`There is no record at ${position}.`),
  '/perspectives': (host) => partOf(host, 'perspectives').list(),
  '/perspectives/:name/rows': async (host, { params: { name = '' }, query }) =>
    (await partOf(host, 'perspectives').rows(name, rowsWantedIn(query), rowsIn(query))) ??
    throwNotFound(`This host has no perspective ${name}.`),
  '/perspectives/:name/parked': async (host, { params: { name = '' } }) =>
    (await partOf(host, 'perspectives').parked(name)) ?? throwNotFound(`There is no perspective ${name}.`),
  '/outbox': (host) => partOf(host, 'outbox').figures(),
  '/dead-letters': (host) => partOf(host, 'outbox').deadLetters(),
  '/dead-letters/:id': async (host, { params: { id = '' } }) =>
    (await partOf(host, 'outbox').deadLetter(numberOf(id))) ??
    throwNotFound(`There is no dead letter ${id}.`),
  '/flags': (host) => partOf(host, 'flags').list(),
  '/map': (host) => partOf(host, 'map')(),
  '/actors': (host) => partOf(host, 'actors')(),
  '/health': (host) => partOf(host, 'health')(),
  '/overview': (host) => partOf(host, 'overview')(),
  ...streamReads,
  ...processReads,
  ...effectReads,
  ...stuckReads,
};

/** The parameters of each read besides the host, by path. */
export const readParameters: Readonly<Record<string, readonly string[]>> = {
  '/requests': ['search', 'limit'],
  '/perspectives/:name/rows': ['tenant', 'key', 'after', 'limit'],
  '/streams/:id': ['after'],
  '/system': [...systemParameters, 'before', 'limit'],
  '/system-facets': systemParameters,
  ...processParameters,
  ...effectParameters,
  ...stuckParameters,
};

/** Expensive reads, by path below `/console/api`; each is a POST, so that nothing repeats it by itself. */
export const expensiveReads: Readonly<Record<string, ApiHandler>> = {
  '/system/verify': (host) => partOf(host, 'system').verify(),
};

/** The operator actions, by path below `/console/api`; each is a POST, and is recorded with what it changes. */
export const operatorActions: Readonly<Record<string, ApiHandler>> = {
  '/perspectives/:name/rebuild': async (host, asked) => {
    const { name = '' } = asked.params;
    const perspectives = partOf(host, 'perspectives');
    const { rebuild } = perspectives;
    if (rebuild === undefined) throw notFound('This host cannot rebuild perspectives.');
    const request = rebuildIn(asked.body);
    const by = actedBy(asked);
    await mustHavePerspective(perspectives, name);
    await rebuild(name, request, by);
    return { rebuilding: name, ...request };
  },
  '/perspectives/:name/release': async (host, asked) => {
    const { name = '' } = asked.params;
    const perspectives = partOf(host, 'perspectives');
    const by = actedBy(asked);
    await mustHavePerspective(perspectives, name);
    return { released: await perspectives.release(name, textIn(asked.body, 'key'), by) };
  },
  '/perspectives/:name/cancel': async (host, asked) => {
    const { name = '' } = asked.params;
    if (!(await partOf(host, 'perspectives').cancelRebuild(name, actedBy(asked))))
      throw notFound(`${name} is not being rebuilt.`);
    return { cancelled: name };
  },
  '/dead-letters/:id/replay': async (host, asked) => {
    const { id = '' } = asked.params;
    return resolved(id, 'replaying', await partOf(host, 'outbox').replay(numberOf(id), actedBy(asked)));
  },
  '/dead-letters/:id/discard': async (host, asked) => {
    const { id = '' } = asked.params;
    const by = actedBy(asked);
    if (by.reason === undefined) throw invalidBody('A reason is required to discard a dead letter.');
    return resolved(id, 'discarded', await partOf(host, 'outbox').discard(numberOf(id), by));
  },
  '/flags/:name': async (host, { params: { name = '' }, body, actor }) => {
    const on = memberOf(body, 'on');
    const reason = reasonIn(body);
    if (typeof on !== 'boolean') throw invalidBody('on must be true or false.');
    if (reason === undefined) throw invalidBody('A reason is required to change a flag.');
    return { name, on, changed: await partOf(host, 'flags').turn(name, on, { actor, reason }) };
  },
  ...processActions,
  ...stuckActions,
};

const modes = Object.values(RebuildMode);

/** Checks the types only; whether the rebuild is possible is decided when it starts. */
function rebuildIn(body: unknown): RebuildRequest {
  const {
    mode,
    streams,
    maxRate,
    force,
    reason: _,
    ...others
  } = { ...(body as object | undefined) } as RebuildBody;
  const known = modes.find((one) => one === mode);
  if (known === undefined) throw invalidBody(`mode must be one of ${modes.join(', ')}.`);
  if (streams !== undefined && !isTexts(streams)) throw invalidBody('streams must be a list of stream ids.');
  if (maxRate !== undefined && !isRate(maxRate))
    throw invalidBody(`maxRate must be a whole number of events per second, from 1 to ${highestRate}.`);
  if (force !== undefined && typeof force !== 'boolean') throw invalidBody('force must be true or false.');
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw invalidBody(`A rebuild takes mode, streams, maxRate, force and reason, not ${unknown}.`);
  return {
    mode: known,
    ...(streams === undefined ? {} : { streams }),
    ...(maxRate === undefined ? {} : { maxRate }),
    ...(force === undefined ? {} : { force }),
  };
}

type RebuildBody = Readonly<Record<string, unknown>>;

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** As on the command line. */
const highestRate = 999_999_999;

const isRate = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= highestRate;

/** The host selected by `?host=` and `?origin=`. */
export function selectedHost(source: ConsoleSource, query: Query): ConsoleHost {
  const host = textParameter(query, 'host');
  const found = source.select({ host, origin: textParameter(query, 'origin') });
  if (found !== undefined) return found;
  throw notFound(host === undefined ? 'No host is running.' : `There is no host ${host}.`);
}

async function mustHavePerspective(perspectives: PerspectivesPart, name: string): Promise<void> {
  const list = await perspectives.list();
  if (!list.some((known) => known.name === name)) throw notFound(`There is no perspective ${name}.`);
}

function resolved(id: string, state: string, done: boolean): unknown {
  if (done) return { id: Number(id), state };
  throw notFound(`There is no dead letter ${id} that still waits.`);
}
