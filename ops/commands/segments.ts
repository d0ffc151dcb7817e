import { Problem } from '../../contracts/problems.js';
import { listSegments, type ListedSegment } from '../../runtime/segments/list-segments.js';
import { makeSegments, sealSegments } from '../../runtime/segments/seal-segments.js';
import { type SegmentsReport, verifySegments } from '../../runtime/segments/verify-segments.js';
import type { StoreConnection } from '../../runtime/service/store-connection.js';
import { cliEditor } from '../cli/access-editor.js';
import { withConnectionOf } from '../cli/database.js';
import { type Config, readConfig } from '../config/config.js';
import { printResult } from '../terminal/print.js';
import type { Verb } from '../cli/verb.js';
import { argumentsOf } from './arguments.js';

export const segments: Verb = {
  help: `
svc segments list
svc segments seal
svc segments verify

The log consists of segments, each with the events and the records of a range of positions. Running hosts make the next
segment ahead of time and seal each full one: its digests go into the system stream as SegmentSealed.
list shows the segments with their sizes. seal seals full ones now, as a host does.
verify computes the digests of sealed segments again and compares them with the system stream, which svc audit verify
checks; if an event or a record was altered, it fails and names the segment.
The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).

  --json  prints JSON

  svc segments verify --json`,
  run: async (args) => {
    const { action, json } = parse(args);
    await withConnectionOf(readConfig(), async (connection, config) => {
      const run: Action = actions[action];
      const { data, text, isBroken = false } = await run(connection, config);
      printResult(data, text, json);
      if (isBroken) process.exitCode = 1;
    });
  },
};

interface Result {
  readonly data: unknown;
  readonly text: string;
  readonly isBroken?: boolean;
}

type Action = (connection: StoreConnection, config: Config) => Promise<Result>;

const actions = {
  list: async ({ database }) => {
    const all = await listSegments(database);
    return { data: all, text: all.map(lineOf).join('\n') };
  },
  seal: async ({ database }, config) => {
    await makeSegments(database);
    const sealed = await sealSegments(database, cliEditor(config));
    const lines = sealed.map(({ low, high }) => `Sealed ${low} to ${high - 1}.`);
    return { data: sealed, text: lines.length === 0 ? 'No segment is full.' : lines.join('\n') };
  },
  verify: async ({ database }) => {
    const report = await verifySegments(database);
    return { data: report, text: verifiedText(report), isBroken: !report.ok };
  },
} as const satisfies Record<string, Action>;

const lineOf = ({ low, high, state, events, records, bytes }: ListedSegment): string =>
  [
    `${low} to ${high - 1}`,
    state,
    ...(events === null ? [] : [`${events} events, ${records ?? 0} records`]),
    `${(bytes / 1_048_576).toFixed(1)} MB`,
  ].join('  ');

const faultTexts = {
  'events-altered': 'an event was altered, added or removed after it was sealed',
  'records-altered': 'a record of the system stream was altered, added or removed after it was sealed',
  'not-in-the-chain': 'the system stream has no SegmentSealed for it',
} as const;

function verifiedText({ segments: all, ok }: SegmentsReport): string {
  const lines = all.flatMap(({ low, high, faults }) =>
    faults.map((fault) => `${low} to ${high - 1}: ${faultTexts[fault]}`),
  );
  if (!ok) return lines.join('\n');
  return `${all.length} sealed ${all.length === 1 ? 'segment is' : 'segments are'} as they were sealed.`;
}

function parse(args: readonly string[]) {
  const options = { json: { type: 'boolean' } } as const;
  const { values, positionals } = argumentsOf(args, options, usage);
  const [action = '', ...others] = positionals;
  if (!isAction(action) || others.length > 0) throw usage('Give one action: list, seal or verify');
  return { action, json: values.json === true };
}

const isAction = (name: string): name is keyof typeof actions => Object.hasOwn(actions, name);

const usage = (detail: string): Problem =>
  new Problem('usage', { detail: `${detail}; see svc segments --help.` });
