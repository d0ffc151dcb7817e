import { withDatabaseOf } from '../cli-database.js';
import { readConfig } from '../config.js';
import type { Verb } from '../verb.js';
import { exportSystemStream } from '../audit/export-system-stream.js';
import { tailSystemStream } from './audit-tail.js';
import { readHead, verifySystemStream } from './audit-verify.js';
import { argumentsOf, usageOf } from './arguments.js';

export const audit: Verb = {
  help: `
svc audit verify [--events] [--against FILE] [--origin STORE] [--json]
svc audit tail [--follow] [--correlation ID] [--user ID] [--tenant ID] [--type NAME] [--json]
svc audit export [--from N] [--to N]

verify recomputes the hash chain and reports the first broken position; it then exits with 1.
  --events            also compares every stored event with the body and position in its EventAudited record and
                      lists altered and deleted events; counts redacted values and events without an audit
  --against FILE      also compares with an earlier report of verify --json: detects deleted newest rows
                      and a rewritten chain
  --origin STORE      verifies the received chain of another store, given by its id, and that no record
                      is missing
tail shows the last 20 records that match every filter; --follow also shows new records as they are stored.
export writes all records, or a range of positions, as lines of JSON.
The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).

  svc audit verify --json > head.json && svc audit verify --against head.json`,
  run: async (args) => {
    const { action, values } = parse(args);
    const json = values.json === true;
    const range = rangeOf(values);
    const against = values.against === undefined ? undefined : await readHead(values.against);
    await withDatabaseOf(readConfig(), async (database) => {
      if (action === 'verify') {
        const events = values.events === true;
        await verifySystemStream(database, { against, json, events, origin: values.origin });
      } else if (action === 'export') await exportSystemStream(database, range);
      else await tailSystemStream(database, { ...filterOf(values), follow: values.follow === true, json });
    });
  },
};

const options = {
  json: { type: 'boolean' },
  against: { type: 'string' },
  events: { type: 'boolean' },
  origin: { type: 'string' },
  follow: { type: 'boolean' },
  correlation: { type: 'string' },
  user: { type: 'string' },
  tenant: { type: 'string' },
  type: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
} as const;

/** The options of each action. */
const actions = {
  verify: ['json', 'against', 'origin', 'events'],
  tail: ['json', 'follow', 'correlation', 'user', 'tenant', 'type'],
  export: ['json', 'from', 'to'],
} as const satisfies Record<string, readonly (keyof typeof options)[]>;

type Action = keyof typeof actions;
type Values = ReturnType<typeof parsed>['values'];

function parse(args: readonly string[]): { readonly action: Action; readonly values: Values } {
  const { values, positionals } = parsed(args);
  const [action, ...rest] = positionals;
  if (action === undefined || !isAction(action) || rest.length > 0)
    throw usage('Give one action: svc audit verify, tail or export');
  const known: readonly string[] = actions[action];
  const misplaced = Object.keys(values).find((name) => !known.includes(name));
  if (misplaced !== undefined) throw usage(`--${misplaced} is not an option of ${action}`);
  if (values.events === true && values.origin !== undefined)
    throw usage('--events compares the events of this store; it cannot be combined with --origin');
  return { action, values };
}

const isAction = (text: string): text is Action => Object.hasOwn(actions, text);

const parsed = (args: readonly string[]) => argumentsOf(args, options, usage);

const filterOf = ({ correlation, user, tenant, type }: Values) => ({ correlation, user, tenant, type });

function rangeOf(values: Values) {
  const from = positionOf(values.from, 'from') ?? 1;
  const to = positionOf(values.to, 'to');
  if (to !== undefined && to < from) throw usage(`--to ${to} is before --from ${from}`);
  return { from, to };
}

function positionOf(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text) || Number(text) < 1)
    throw usage(`--${name} must be a position, not '${text}'`);
  return Number(text);
}

const usage = usageOf('audit');
