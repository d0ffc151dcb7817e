import { withDatabaseOf } from '../cli-database.js';
import { readConfig } from '../config.js';
import type { Verb } from '../verb.js';
import { exportSystemStream } from './audit-export.js';
import { tailSystemStream } from './audit-tail.js';
import { readHead, verifySystemStream } from './audit-verify.js';
import { argumentsOf, usageOf } from './arguments.js';

export const audit: Verb = {
  name: 'audit',
  usage: 'audit <action>',
  summary: 'verifies, follows or exports the system stream',
  help: `
svc audit verify [--events] [--against FILE] [--origin STORE] [--json]
svc audit tail [--follow] [--correlation ID] [--user ID] [--tenant ID] [--type NAME] [--json]
svc audit export [--from N] [--to N]

verify recomputes the hash chain and names the first position that does not hold; it then ends with 1.
  --events            also compares every stored event with the body and the place in its EventAudited record, and
                      names those that were altered or deleted; redacted values and events without an audit are counted
  --against FILE      also compares with an earlier report of verify --json: finds newest rows that were
                      deleted, and a chain that was written anew
  --origin STORE      verifies what was received of another store's chain, by the id of that store, and that
                      nothing of it is missing
tail shows the last 20 records, and with --follow those that come after them; records must match every filter.
export writes all records, or those from one position to another, as lines of JSON.
The store is the one of DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).

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

/** Which options belong to which action. */
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
    throw usage('Say what to do: svc audit verify, tail or export');
  const known: readonly string[] = actions[action];
  const misplaced = Object.keys(values).find((name) => !known.includes(name));
  if (misplaced !== undefined) throw usage(`--${misplaced} does not belong to ${action}`);
  if (values.events === true && values.origin !== undefined)
    throw usage('--events compares what is stored here; leave --origin out');
  return { action, values };
}

const isAction = (text: string): text is Action => Object.hasOwn(actions, text);

const parsed = (args: readonly string[]) => argumentsOf(args, options, usage);

const filterOf = ({ correlation, user, tenant, type }: Values) => ({ correlation, user, tenant, type });

function rangeOf(values: Values) {
  const from = positionOf(values.from, 'from') ?? 1;
  const to = positionOf(values.to, 'to');
  if (to !== undefined && to < from) throw usage(`--to ${to} lies before --from ${from}`);
  return { from, to };
}

function positionOf(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text) || Number(text) < 1)
    throw usage(`--${name} must be a position, not '${text}'`);
  return Number(text);
}

const usage = usageOf('audit');
