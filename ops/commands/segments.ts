import { listSegments, type ListedSegment } from '../../runtime/segments/list-segments.js';
import { makeSegments, sealSegments } from '../../runtime/segments/seal-segments.js';
import type { StoreConnection } from '../../runtime/service/store-connection.js';
import { cliEditor } from '../cli/access-editor.js';
import { withConnectionOf } from '../cli/database.js';
import { type Config, readConfig } from '../config/config.js';
import { printResult } from '../terminal/print.js';
import type { Verb } from '../cli/verb.js';
import { argumentsOf, reasonIn, usageOf } from './arguments.js';
import {
  archive,
  archivedText,
  attach,
  daysIn,
  megabytes,
  type SegmentsRequest,
  verify,
} from './segments-archive.js';

export const segments: Verb = {
  help: `
svc segments list
svc segments seal
svc segments verify [--archives] [--from LOCATION] [--app APP]
svc segments archive [--to LOCATION] [--days N] [--app APP] [--reason TEXT]
svc segments attach LOW [--from LOCATION] [--app APP] [--reason TEXT]

The log consists of segments, each with the events and the system records of a range of positions. Running hosts create the
next segment ahead of time and seal each full one: they store its digests in the system stream as SegmentSealed.
list shows the segments with their sizes. seal seals full ones now, as a host does.
verify recomputes the digests of sealed segments and compares them with the system stream, which svc audit verify checks.
If an event or a record was altered, verify fails and names the segment.
archive moves sealed segments out of the database, the oldest first: it writes their files, reads them back, compares
them with the system stream, and removes the tables. It stops at the first segment that is still needed, and says why.
attach loads the archived segment that begins at position LOW, and all newer ones; the files stay where they are.
If archive or attach is interrupted, run it again. LOCATION is a folder or s3://BUCKET/PREFIX. A bucket needs
AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and, unless the server is AWS, AWS_ENDPOINT_URL_S3.
If the store has a master key, the files are encrypted: set SVC_MASTER_KEY.
The system stream records who archives and attaches: SVC_ACTOR, or the user of the operating system. Both connect with
DATABASE_OWNER_URL if it is set. The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).

  --to LOCATION    where to write; by default, where the last segment was archived
  --from LOCATION  where the files are now, if they were moved
  --days N         keep segments that were sealed in the last N days (7, at least 7)
  --archives       also read the files of archived segments, and verify them
  --app APP        the application whose keyWrapper wraps the keys
  --reason TEXT    why
  --json           prints JSON

  svc segments archive --to /mnt/archive --days 90`,
  run: async (args) => {
    const { action, json, request } = parse(args);
    await withConnectionOf(readConfig(), async (connection, config) => {
      const run: Action = actions[action];
      const { data, text, isBroken = false } = await run(connection, config, request);
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

type Action = (connection: StoreConnection, config: Config, request: SegmentsRequest) => Promise<Result>;

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
  verify: async (connection, config, request) => {
    const report = await verify(connection, config, request);
    return { data: report, text: verifiedText(report), isBroken: !report.ok };
  },
  archive: async (connection, config, request) => {
    const result = await archive(connection, config, request);
    return { data: result, text: archivedText(result) };
  },
  attach: async (connection, config, request) => {
    const attached = await attach(connection, config, request);
    const lines = attached.map(({ low, high }) => `Attached ${low} to ${high - 1}.`);
    return { data: attached, text: lines.length === 0 ? 'It is attached already.' : lines.join('\n') };
  },
} as const satisfies Record<string, Action>;

const lineOf = ({ low, high, state, events, records, bytes, archive: files }: ListedSegment): string =>
  [
    `${low} to ${high - 1}`,
    state,
    ...(events === null ? [] : [`${events} events, ${records ?? 0} records`]),
    ...(state === 'archived' ? [] : [megabytes(bytes)]),
    ...(files === null ? [] : [`${megabytes(files.bytes)} at ${files.location}`]),
  ].join('  ');

const faultTexts = {
  'events-altered': 'an event was altered, added or removed after it was sealed',
  'records-altered': 'a record of the system stream was altered, added or removed after it was sealed',
  'files-altered':
    'its files are missing (--from says where they are now), or are not those that were written',
  'not-in-the-chain': 'the system stream has no SegmentSealed for it',
} as const;

function verifiedText({ segments: all, ok, unread }: Awaited<ReturnType<typeof verify>>): string {
  const lines = all.flatMap(({ low, high, faults }) =>
    faults.map((fault) => `${low} to ${high - 1}: ${faultTexts[fault]}`),
  );
  if (ok)
    lines.push(
      `${all.length} sealed ${all.length === 1 ? 'segment is' : 'segments are'} as they were sealed.`,
    );
  const [first] = unread;
  if (first !== undefined)
    lines.push(
      `${unread.length} archived ${unread.length === 1 ? 'segment was' : 'segments were'} not read, from ${first.low} on: add --archives to read their files.`,
    );
  return lines.join('\n');
}

/** The options of each action, besides --json. */
const optionsOf: Readonly<Record<keyof typeof actions, readonly string[]>> = {
  list: [],
  seal: [],
  verify: ['archives', 'from', 'app'],
  archive: ['to', 'days', 'app', 'reason'],
  attach: ['from', 'app', 'reason'],
};

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = {
    json: flag,
    archives: flag,
    to: text,
    from: text,
    days: text,
    app: text,
    reason: text,
  } as const;
  const { values, positionals } = argumentsOf(args, options, usage);
  const [action = '', low = '', ...others] = positionals;
  if (!isAction(action) || others.length > 0 || (low !== '' && action !== 'attach'))
    throw usage('Give one action: list, seal, verify, archive or attach LOW');
  const misplaced = Object.keys(values).find((name) => name !== 'json' && !optionsOf[action].includes(name));
  if (misplaced !== undefined) throw usage(`--${misplaced} is not an option of ${action}`);
  if (action === 'attach' && !/^\d{1,15}$/.test(low))
    throw usage('attach needs the first position of a segment, as svc segments list shows it');
  const request: SegmentsRequest = {
    location: values.to ?? values.from,
    app: values.app,
    reason: reasonIn(values.reason, usage),
    days: daysIn(values.days, usage),
    low: Number(low),
    archives: values.archives === true,
  };
  return { action, json: values.json === true, request };
}

const isAction = (name: string): name is keyof typeof actions => Object.hasOwn(actions, name);

const usage = usageOf('segments');
