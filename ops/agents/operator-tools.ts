import { Problem, problems } from '../../contracts/problems.js';
import { listEffects, showEffect } from '../../runtime/effects/effect-lists.js';
import { showProcess, showProcesses } from '../../runtime/reactions/process-views.js';
import { listTimers } from '../../runtime/reactions/reaction-lists.js';
import { listStuck } from '../../runtime/stuck/stuck-entries.js';
import { causedRecords } from './caused-records.js';
import { hostsAndModels } from './hosts-and-models.js';
import {
  askedRows,
  id,
  needed,
  oneWordOf,
  operatorTool as tool,
  type OperatorTool,
  time,
  whole,
  words,
} from './operator-tool.js';
import { searchAudit } from './search-audit.js';
import { searchPages } from './search-pages.js';
import { readStream } from './read-stream.js';

const reason = "--reason 'why'";

const filters = {
  correlation: words('The correlation id, or a part of it.'),
  user: words('The user who caused it, or a part of the name.'),
  tenant: words('The tenant, or a part of its name.'),
  status: oneWordOf('Failures and refusals, or all others.', 'failed', 'succeeded'),
  since: time('Recorded at this time or later, such as 2026-12-01T00:00:00Z.'),
  until: time('Recorded at this time or earlier.'),
  before: whole('The next of the answer before: continues with older records.'),
};

/** What coding and on-call agents may ask of a store. */
export const operatorTools: Readonly<Record<string, OperatorTool>> = {
  health: tool({
    description: 'Running hosts, read models with their lag, messages that wait, and what is stuck, by kind.',
    takes: {},
    read: (_, { database }) => hostsAndModels(database),
  }),
  streams_read: tool({
    description:
      'The events of one stream in their order: type, position, time and correlation, without contents.',
    takes: { streamId: needed(id('A UUID.')), after: whole('A position in the stream: continues after it.') },
    read: ({ streamId, after = 0 }, { database, withBodies }) =>
      readStream(database, streamId, { after, withBodies }),
  }),
  causation_tree: tool({
    description:
      'What one request stored, and all that followed from it within an hour, or 200,000 positions: events and audits, each with the id that caused it.',
    takes: {
      correlationId: needed(words('The correlation id of the request.')),
      around: time(
        'A time at which it ran, or from which to continue; needed if the id is not a UUID of version 7.',
      ),
    },
    read: ({ correlationId, around }, { database }) => causedRecords(database, correlationId, around),
  }),
  requests_find: tool({
    description: 'Commands that were handled or failed, newest first.',
    takes: { command: words('The name of the command, or a part of it.'), ...filters },
    read: (asked, store) => searchAudit({ type: 'Command', ...asked }, store),
  }),
  processes_list: tool({
    description: 'Instances of processes, last changed first, with the timers that they wait for.',
    takes: {
      name: words('Of the process.'),
      state: words('The state of the instance.'),
      status: oneWordOf('Whether it still runs.', 'running', 'ended', 'parked'),
    },
    person: `svc processes retry NAME KEY ${reason}`,
    read: async ({ name, state, status }, { database }) => ({
      rows: await showProcesses(database, { name, state, status, limit: askedRows }),
    }),
  }),
  processes_show: tool({
    description: 'One instance of a process with its last 50 steps; never its context.',
    takes: { name: needed(words('Of the process.')), key: needed(words('Of the instance.')) },
    person: `svc processes retry NAME KEY ${reason}`,
    read: async ({ name, key }, { database }) => ({
      rows: [(await showProcess(database, name, key)) ?? missing('process')],
    }),
  }),
  effects_list: tool({
    description: 'Requests that wait for another system, by due time; never what they hold.',
    takes: {
      name: words('Of the effect.'),
      lane: words('Of the request.'),
      state: oneWordOf('Of the request.', 'waiting', 'running', 'paused', 'parked'),
      error: words('A part of the last error.'),
    },
    person: `svc effects release|run-now|cancel ID ${reason}`,
    read: async (asked, { database }) => ({ rows: await listEffects(database, asked, askedRows) }),
  }),
  effects_show: tool({
    description: 'One request of an effect with its last ten failed attempts; never what it holds.',
    takes: { id: needed(id('A UUID.')) },
    person: `svc effects release|run-now|cancel ID ${reason}`,
    read: async ({ id: asked }, { database }) => ({
      rows: [(await showEffect(database, asked)) ?? missing('request')],
    }),
  }),
  timers_list: tool({
    description:
      'Timers of receptors, reactions, processes and schedules by due time, without their contents.',
    takes: { dueBefore: time('Due before this time.') },
    person: `svc timers run-now|cancel ID ${reason}`,
    read: async ({ dueBefore = null }, { database }) => ({
      rows: await listTimers(database, { dueBefore, limit: askedRows }),
    }),
  }),
  stuck_list: tool({
    description: 'Everything that is parked, or retried after it failed, parked and oldest first.',
    takes: {
      follower: words(
        'Such as reaction/reserve-stock, perspective/orders, effect/card-provider, timers, outbox or inbox.',
      ),
      error: words('A part of the error.'),
      fingerprint: words('The kind of the error, from another entry.'),
      tenant: words('Of the entry.'),
      since: time('Stuck since this time or later.'),
    },
    person: `svc stuck retry|skip ID ${reason}`,
    read: async (asked, { database }) => ({ rows: await listStuck(database, asked, askedRows) }),
  }),
  audit_search: tool({
    description:
      'Records of the system stream, newest first: audits, security events, failures, actions of operators.',
    takes: {
      type: words('The type of the record, or a part of it: CommandAudited, AccessDenied, OperatorActed.'),
      stream: words('The stream that a record is about.'),
      host: words('The host, or a part of its name.'),
      ...filters,
    },
    read: searchAudit,
  }),
  docs_search: tool({
    description:
      'Sections of the guides of the runtime, of the version that is installed, that have these words.',
    takes: { text: needed(words('Words to look for, such as: retry an effect.')) },
    read: ({ text }) => ({ rows: searchPages(text) }),
  }),
  problem_explain: tool({
    description: 'The problems of the runtime whose code or title contains a text, with their status.',
    takes: { text: needed(words('Such as stream-conflict, or a word.')) },
    read: ({ text }) => ({ rows: problemsWith(text) }),
  }),
};

const problemsWith = (text: string): readonly object[] =>
  Object.entries(problems).flatMap(([code, { status, title }]) =>
    `${code} ${title}`.toLowerCase().includes(text.toLowerCase())
      ? [{ code, status, title, page: 'reference/problems' }]
      : [],
  );

function missing(noun: string): never {
  throw new Problem('not-found', { detail: `There is no such ${noun}.` });
}
