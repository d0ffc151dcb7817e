import { isUuid } from '../../contracts/scalars.js';
import { withDatabaseOf } from '../cli/database.js';
import { readConfig } from '../config/config.js';
import type { Verb } from '../cli/verb.js';
import { exportSystemStream } from '../audit/export-system-stream.js';
import { tailSystemStream } from './audit-tail.js';
import { exportKeptHeads } from '../audit/export-kept-heads.js';
import { readHeadFile } from '../audit/read-head-file.js';
import { verifySystemStream } from './audit-verify.js';
import { argumentsOf, usageOf } from './arguments.js';

export const audit: Verb = {
  help: `
svc audit verify [--events] [--against FILE] [--origin STORE] [--json]
svc audit tail [--follow] [--correlation ID] [--user ID] [--tenant ID] [--type NAME] [--json]
svc audit export [--from N] [--to N]
svc audit export --heads [--origin STORE]

verify recomputes the hash chain. If it is broken, verify reports the first such position and exits with 1.
With NATS_URL set, it also compares the log with the heads that hosts of this store have signed and the broker
still holds (7 days). These reveal a chain that was cut off or rewritten. verify prints how many heads it found, and
since when; without any, it can only find changes within the chain.
  --events            also compares every stored event with the body and position in its EventAudited record and
                      lists altered and deleted events; counts redacted values and events without an audit
  --against FILE      also compares with an earlier report of verify --json, or with exported heads
  --origin STORE      verifies the chain received from the store with this id: that no record is missing, and that it
                      agrees with the signed heads that are kept here
tail shows the last 20 records that match every filter; --follow also shows new records as they are stored.
export writes all records, or a range of positions, as lines of JSON.
  --heads             instead writes the signed heads that this store keeps of other stores, or of one: those of
                      a monitor reveal changes to the log of a service
The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).

  svc audit verify --json > head.json && svc audit verify --against head.json`,
  run: async (args) => {
    const { action, values } = parse(args);
    const json = values.json === true;
    const range = rangeOf(values);
    const against = values.against === undefined ? undefined : await readHeadFile(values.against);
    const settings = readConfig();
    await withDatabaseOf(settings, async (database) => {
      if (action === 'verify') {
        const events = values.events === true;
        await verifySystemStream(database, { against, json, events, origin: values.origin, settings });
      } else if (action === 'export' && values.heads === true) await exportKeptHeads(database, values.origin);
      else if (action === 'export') await exportSystemStream(database, range);
      else await tailSystemStream(database, { ...filterOf(values), follow: values.follow === true, json });
    });
  },
};

const options = {
  json: { type: 'boolean' },
  against: { type: 'string' },
  events: { type: 'boolean' },
  origin: { type: 'string' },
  heads: { type: 'boolean' },
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
  export: ['json', 'from', 'to', 'heads', 'origin'],
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
  mustFitExport(action, values);
  return { action, values };
}

function mustFitExport(action: Action, { heads, origin, from, to }: Values): void {
  if (action !== 'export') return;
  if (heads === true && (from ?? to) !== undefined)
    throw usage('--from and --to select records; they cannot be combined with --heads');
  if (heads !== true && origin !== undefined)
    throw usage('--origin selects the heads of one store: svc audit export --heads --origin STORE');
  if (origin !== undefined && !isUuid(origin))
    throw usage(`--origin must be the id of a store, not '${origin}'`);
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
