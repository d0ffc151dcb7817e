import { RebuildMode } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import { isUuid } from '../../contracts/scalars.js';
import type { Database } from '../../runtime/database/database.js';
import { cleanRebuilds } from '../../runtime/migrations/drop-replaced.js';
import { removePerspective } from '../../runtime/migrations/remove-perspective.js';
import { cancelAsOperator } from '../../runtime/perspectives/operate.js';
import type { RebuildRequest } from '../../runtime/perspectives/rebuild/rebuild-request.js';
import { cliEditor } from '../cli/access-editor.js';
import { withConnectionOf } from '../cli/database.js';
import { readConfig } from '../config/config.js';
import { type ListedPerspective, listPerspectives, unknownPerspective } from '../service/perspective-list.js';
import type { Verb } from '../cli/verb.js';
import { parkedRows } from './perspectives-parked.js';
import { printResult } from '../terminal/print.js';
import { argumentsOf, reasonIn, usageOf } from './arguments.js';

export const perspectives: Verb = {
  help: `
svc perspectives list [--json]
svc perspectives rebuild <name> [--mode BlueGreen|InPlace|SelectedStreams] [--stream ID…] [--max-rate N] [--force] [--app APP] [--reason TEXT] [--json]
svc perspectives parked <name> [--release KEY… | --all] [--reason TEXT] [--json]
svc perspectives cancel <name> [--reason TEXT]
svc perspectives clean [--reason TEXT] [--json]
svc perspectives remove <name> [--reason TEXT] [--json]

BlueGreen builds a new model beside the current one and swaps them; the old one is kept until clean.
InPlace empties the model first, and readers see it grow. SelectedStreams folds only the given streams.
A rebuild fails if a row that readers see can no longer be folded; readers then keep the old model. With --force they
get the new model without that row, which is parked.
A running host does the rebuild; if no host runs, or with --app, this process does. Hosts may keep running.
parked lists the rows whose events apply could not fold; readers see them as they were before. After you fix apply,
--release or --all folds them again. A host also retries them once when it starts.
An interrupted rebuild is resumed by a host that runs the perspective, or by the next rebuild of that name.
remove drops the model of a perspective that the service no longer has, and everything kept about it. It is refused
while a host runs the perspective. The events stay: if you add the perspective again, it is folded from the beginning.
A long rebuild uses several threads, one for each part of the streams; each thread loads the application again.
SVC_REBUILD_THREADS sets their number; 1 uses no extra thread.
The store is the one at DATABASE_URL (and DATABASE_OWNER_URL), or the embedded one in SVC_DATA_DIR (.svc).

  --stream ID      a stream to fold; may be repeated
  --max-rate N     folds at most N events per second
  --force          swaps even if rows that readers see can no longer be folded
  --release KEY    folds this parked row again; may be repeated
  --all            folds all parked rows again
  --app APP        the application: a folder with a package.json, or a .js file (default: the current folder)
  --reason TEXT    why; the system stream records it with SVC_ACTOR, or the user of the operating system
  --json           prints JSON

  svc perspectives rebuild order-summary --mode BlueGreen`,
  run: async (args) => {
    const { action, name, json, app, reason, release, request } = parse(args);
    const print = (data: object, text: string) => printResult(data, text, json);
    await withConnectionOf(readConfig(), async (connection, config) => {
      const by = { operator: cliEditor(config), reason };
      if (action === 'list') {
        const list = await listPerspectives(connection.database);
        print(list, listText(list));
      } else if (action === 'rebuild') {
        // Only a rebuild needs a whole host.
        const { rebuildFromCli: rebuildFromHere } = await import('./perspectives-rebuild.js');
        const rebuilt = await rebuildFromHere({ config, connection, name, app, reason, request });
        const { mode, streams, events, seconds, rowsParked } = rebuilt;
        const forced = rowsParked === undefined ? '' : ` Forced: ${rowsParked} rows were parked.`;
        print(
          rebuilt,
          `Rebuilt ${name} (${mode}): ${streams} streams, ${events} events in ${seconds.toFixed(1)} s.${forced}`,
        );
      } else if (action === 'parked') {
        const shown = await parkedRows(connection.database, by, { name, release });
        print(shown.data, shown.text);
      } else if (action === 'cancel') {
        const isThere = await connection.asOwner((owner) => cancelAsOperator(owner, by, name));
        if (!isThere) throw new Problem('not-found', { detail: `${name} is not being rebuilt.` });
        print({ cancelled: name }, `Cancelling the rebuild of ${name}.`);
      } else if (action === 'remove') {
        const tables = await connection.asOwner((owner) => removePerspective(owner, by, name));
        if (tables.length === 0) throw await unknownIn(connection.database, name);
        print({ removed: name, tables }, `Removed ${name}.`);
      } else {
        const gone = await connection.asOwner((owner) => cleanRebuilds(owner, by));
        print(
          gone,
          gone.length === 0 ? 'Nothing to clean up.' : gone.map((table) => `dropped ${table}`).join('\n'),
        );
      }
    });
  },
};

const options = {
  json: { type: 'boolean' },
  mode: { type: 'string' },
  stream: { type: 'string', multiple: true },
  'max-rate': { type: 'string' },
  force: { type: 'boolean' },
  release: { type: 'string', multiple: true },
  all: { type: 'boolean' },
  app: { type: 'string' },
  reason: { type: 'string' },
} as const;

/** The options of each action. */
const actions = {
  list: ['json'],
  rebuild: ['json', 'mode', 'stream', 'max-rate', 'force', 'app', 'reason'],
  parked: ['json', 'release', 'all', 'reason'],
  cancel: ['json', 'reason'],
  clean: ['json', 'reason'],
  remove: ['json', 'reason'],
} as const satisfies Record<string, readonly (keyof typeof options)[]>;

type Action = keyof typeof actions;
type Values = ReturnType<typeof parsed>['values'];

function parse(args: readonly string[]) {
  const { values, positionals } = parsed(args);
  const [action, name, ...rest] = positionals;
  if (action === undefined || !isAction(action) || rest.length > 0)
    throw usage(
      'Give one action: svc perspectives list, rebuild <name>, parked <name>, cancel <name>, remove <name> or clean',
    );
  if (takesName(action) !== (name !== undefined))
    throw usage(`svc perspectives ${action} ${name === undefined ? 'needs one name' : 'takes no name'}`);
  const known: readonly string[] = actions[action];
  const misplaced = Object.keys(values).find((option) => !known.includes(option));
  if (misplaced !== undefined) throw usage(`--${misplaced} is not an option of ${action}`);
  if (values.all === true && values.release !== undefined)
    throw usage('Give either --release or --all, not both');
  const request = action === 'rebuild' ? requestOf(values) : { mode: RebuildMode.BlueGreen };
  return {
    action,
    name: name ?? '',
    json: values.json === true,
    app: values.app,
    reason: reasonIn(values.reason, usage),
    release: values.all === true ? ('all' as const) : values.release,
    request,
  };
}

async function unknownIn(database: Database, name: string): Promise<Problem> {
  const known = await listPerspectives(database);
  return unknownPerspective(
    name,
    known.map((one) => one.name),
  );
}

const takesName = (action: Action): boolean => action !== 'list' && action !== 'clean';
const isAction = (text: string): text is Action => Object.hasOwn(actions, text);
const modes = Object.values(RebuildMode);

function requestOf(values: Values): RebuildRequest {
  const { stream: streams = [], 'max-rate': rate } = values;
  const wanted = values.mode ?? RebuildMode.BlueGreen;
  const mode = modes.find((known) => known === wanted);
  if (mode === undefined) throw usage(`--mode must be one of ${modes.join(', ')}, not '${wanted}'`);
  if ((mode === RebuildMode.SelectedStreams) !== streams.length > 0)
    throw usage('SelectedStreams needs at least one --stream, and no other mode takes it');
  const stranger = streams.find((stream) => !isUuid(stream));
  if (stranger !== undefined) throw usage(`--stream must be a UUID, not '${stranger}'`);
  if (rate !== undefined && !/^[1-9]\d{0,8}$/.test(rate))
    throw usage(`--max-rate must be a positive whole number, not '${rate}'`);
  return {
    mode,
    streams: streams.map((stream) => stream.toLowerCase()),
    ...(rate === undefined ? {} : { maxRate: Number(rate) }),
    force: values.force === true,
  };
}

const parsed = (args: readonly string[]) => argumentsOf(args, options, usage);

const usage = usageOf('perspectives');

const listText = (list: readonly ListedPerspective[]): string =>
  list.length === 0
    ? 'There are no perspectives.'
    : list
        .map(
          ({ name, position, lag, state, parked = 0, error }) =>
            `${name.padEnd(32)} ${state.padEnd(12)} at ${position}, ${lag} behind${parked === 0 ? '' : `, ${parked} parked`}${error === undefined ? '' : `\n  ${error}`}`,
        )
        .join('\n');
