import { Problem, problems } from '../../contracts/problems.js';
import { isTimestamp, isUuid } from '../../contracts/scalars.js';
import { listEffects, showEffect } from '../../runtime/effects/effect-lists.js';
import { showProcess, showProcesses } from '../../runtime/reactions/process-views.js';
import { listTimers } from '../../runtime/reactions/reaction-lists.js';
import { listStuck } from '../../runtime/stuck/stuck-entries.js';
import { causedRecords } from './caused-records.js';
import { hostsAndModels } from './hosts-and-models.js';
import { askedRows, type OperatorTool } from './operator-tool.js';
import { searchAudit } from './search-audit.js';
import { searchPages } from './search-pages.js';
import { readStream } from './read-stream.js';

const words = (description: string) => ({ type: 'string', description }) as const;
const whole = (description: string) => ({ type: 'integer', description }) as const;
const oneOf = (description: string, ...values: readonly string[]) => ({
  ...words(description),
  enum: values,
});

const reason = "--reason 'why'";

const filters = {
  correlation: words('The correlation id, or a part of it.'),
  user: words('The user who caused it, or a part of the name.'),
  tenant: words('The tenant, or a part of its name.'),
  status: oneOf('Failures and refusals, or all others.', 'failed', 'succeeded'),
  since: words('Recorded at this time or later, such as 2026-12-01T00:00:00Z.'),
  until: words('Recorded at this time or earlier.'),
  before: whole('The next of the answer before: continues with older records.'),
};

/** What coding and on-call agents may ask of a store. */
export const operatorTools: Readonly<Record<string, OperatorTool>> = {
  health: {
    description: 'Running hosts, read models with their lag, messages that wait, and what is stuck, by kind.',
    takes: {},
    read: ({ database }) => hostsAndModels(database),
  },
  streams_read: {
    description:
      'The events of one stream in their order: type, position, time and correlation, without contents.',
    takes: { streamId: words('A UUID.'), after: whole('A position in the stream: continues after it.') },
    needs: ['streamId'],
    read: ({ database, texts, numbers, withBodies }) =>
      readStream(database, uuidIn(texts['streamId']), { after: numbers['after'] ?? 0, withBodies }),
  },
  causation_tree: {
    description:
      'What one request stored, and all that followed from it within an hour, or 200,000 positions: events and audits, each with the id that caused it.',
    takes: {
      correlationId: words('The correlation id of the request.'),
      around: words(
        'A time at which it ran, or from which to continue; needed where the id is no UUID of version 7.',
      ),
    },
    needs: ['correlationId'],
    read: ({ database, texts }) =>
      causedRecords(database, texts['correlationId'] ?? '', timeIn(texts, 'around')),
  },
  requests_find: {
    description: 'Commands that were handled or failed, newest first.',
    takes: { command: words('The name of the command, or a part of it.'), ...filters },
    read: (question) => searchAudit(question, 'Command'),
  },
  processes_list: {
    description: 'Instances of processes, last changed first, with the timers that they wait for.',
    takes: {
      name: words('Of the process.'),
      state: words('The state of the instance.'),
      status: oneOf('Whether it still runs.', 'running', 'ended', 'parked'),
    },
    person: `svc processes retry NAME KEY ${reason}`,
    read: async ({ database, texts: { name, state, status } }) => ({
      rows: await showProcesses(database, { name, state, status, limit: askedRows }),
    }),
  },
  processes_show: {
    description: 'One instance of a process with its last 50 steps; never its context.',
    takes: { name: words('Of the process.'), key: words('Of the instance.') },
    needs: ['name', 'key'],
    person: `svc processes retry NAME KEY ${reason}`,
    read: async ({ database, texts: { name = '', key = '' } }) => ({
      rows: [(await showProcess(database, name, key)) ?? missing('process')],
    }),
  },
  effects_list: {
    description: 'Requests that wait for another system, by due time; never what they hold.',
    takes: {
      name: words('Of the effect.'),
      lane: words('Of the request.'),
      state: oneOf('Of the request.', 'waiting', 'running', 'paused', 'parked'),
      error: words('A part of the last error.'),
    },
    person: `svc effects release|run-now|cancel ID ${reason}`,
    read: async ({ database, texts: { name, lane, state, error } }) => ({
      rows: await listEffects(database, { name, lane, state, error }, askedRows),
    }),
  },
  effects_show: {
    description: 'One request of an effect with its last ten failed attempts; never what it holds.',
    takes: { id: words('A UUID.') },
    needs: ['id'],
    person: `svc effects release|run-now|cancel ID ${reason}`,
    read: async ({ database, texts }) => ({
      rows: [(await showEffect(database, uuidIn(texts['id']))) ?? missing('request')],
    }),
  },
  timers_list: {
    description:
      'Timers of receptors, reactions, processes and schedules by due time, without their contents.',
    takes: { dueBefore: words('Due before this time.') },
    person: `svc timers run-now|cancel ID ${reason}`,
    read: async ({ database, texts }) => ({
      rows: await listTimers(database, { dueBefore: timeIn(texts, 'dueBefore') ?? null, limit: askedRows }),
    }),
  },
  stuck_list: {
    description: 'Everything that is parked, or retried after it failed, parked and oldest first.',
    takes: {
      follower: words(
        'Such as reaction/reserve-stock, perspective/orders, effect/card-provider, timers, outbox or inbox.',
      ),
      error: words('A part of the error.'),
      fingerprint: words('The kind of the error, from another entry.'),
      tenant: words('Of the entry.'),
      since: words('Stuck since this time or later.'),
    },
    person: `svc stuck retry|skip ID ${reason}`,
    read: async ({ database, texts }) => {
      const { follower, error, fingerprint, tenant } = texts;
      const filter = { follower, error, fingerprint, tenant, since: timeIn(texts, 'since') };
      return { rows: await listStuck(database, filter, askedRows) };
    },
  },
  audit_search: {
    description:
      'Records of the system stream, newest first: audits, security events, failures, actions of operators.',
    takes: {
      type: words('The type of the record, or a part of it: CommandAudited, AccessDenied, OperatorActed.'),
      stream: words('The stream that a record is about.'),
      host: words('The host, or a part of its name.'),
      ...filters,
    },
    read: (question) => searchAudit(question),
  },
  docs_search: {
    description:
      'Sections of the guides of the runtime, of the version that is installed, that have these words.',
    takes: { text: words('Words to look for, such as: retry an effect.') },
    needs: ['text'],
    read: async ({ texts }) => ({ rows: searchPages(texts['text'] ?? '') }),
  },
  problem_explain: {
    description: 'The problems of the runtime whose code or title contains a text, with their status.',
    takes: { text: words('Such as stream-conflict, or a word.') },
    needs: ['text'],
    read: async ({ texts }) => ({ rows: problemsWith(texts['text'] ?? '') }),
  },
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

function uuidIn(value = ''): string {
  if (isUuid(value)) return value;
  throw new Problem('invalid-query', { detail: 'Pass the id as a UUID.' });
}

function timeIn(texts: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const value = texts[name];
  if (value === undefined || isTimestamp(value)) return value;
  throw new Problem('invalid-query', { detail: `${name} must be a time such as 2026-12-01T00:00:00Z.` });
}
