import { RebuildMode } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import { isUuid } from '../../contracts/scalars.js';
import { cleanRebuilds } from '../../runtime/migrations/clean.js';
import { cancelRebuild, type RebuildRequest } from '../../runtime/perspectives/rebuild-request.js';
import { withConnectionOf } from '../cli-database.js';
import { readConfig } from '../config.js';
import { recordCliAction } from '../cli-operator.js';
import { type ListedPerspective, listPerspectives } from '../perspective-list.js';
import type { Verb } from '../verb.js';
import { parkedRows } from './perspectives-parked.js';
import { printToStdout } from '../print.js';
import { argumentsOf, usageOf } from './arguments.js';

export const perspectives: Verb = {
  name: 'perspectives',
  usage: 'perspectives <action>',
  summary: 'lists the read models, or builds one anew',
  help: `
svc perspectives list [--json]
svc perspectives rebuild <name> [--mode BlueGreen|InPlace|SelectedStreams] [--stream ID…] [--max-rate N] [--force] [--app APP] [--reason TEXT] [--json]
svc perspectives parked <name> [--release KEY… | --all] [--reason TEXT] [--json]
svc perspectives cancel <name> [--reason TEXT]
svc perspectives clean [--reason TEXT] [--json]

BlueGreen builds the model beside the one that is read and swaps them; the old one is kept until clean.
InPlace empties it first: readers see it grow. SelectedStreams folds only the streams that are named.
A row that readers have and that cannot be folded any more makes it fail, and readers keep the old model; with --force
they get the new one without that row, which is parked.
A running host carries it out; where none runs, or with --app, this process does. Hosts may run meanwhile.
parked lists the rows that apply could not fold, which readers see as they were before; when apply is mended, --release
or --all has them folded again. A host that starts tries them once by itself.
One that is cut off is gone on with by a host that runs the perspective, or by the next rebuild of that name.
A long one is folded by several threads, each its share of the streams, which load the application's modules once
more; SVC_REBUILD_THREADS says how many, 1 does without.
The store is the one of DATABASE_URL (and DATABASE_OWNER_URL), or the embedded one in SVC_DATA_DIR (.svc).

  --stream ID      one of the streams, as often as needed
  --max-rate N     at most so many events per second
  --force          swaps even if rows that readers have cannot be folded any more
  --release KEY    folds this parked row again, as often as needed
  --all            folds all parked rows again
  --app APP        the application: a folder with a package.json, or a .js file; the current folder unless told otherwise
  --reason TEXT    why; the system stream records it with SVC_ACTOR, or the user of the operating system
  --json           the same for machines

  svc perspectives rebuild order-summary --mode BlueGreen`,
  run: async (args) => {
    const { action, name, json, app, reason, release, request } = parse(args);
    const config = readConfig();
    const print = (data: object, text: string) => printToStdout(`${json ? JSON.stringify(data) : text}\n`);
    await withConnectionOf(config, async (connection) => {
      const acted = (target: string) =>
        recordCliAction(connection.database, config, { action: `perspectives ${action}`, target, reason });
      if (action === 'list') {
        const list = await listPerspectives(connection.database);
        print(list, listText(list));
      } else if (action === 'rebuild') {
        // It needs a whole host, which the other words do without.
        const { rebuildFromCli: rebuildFromHere } = await import('./perspectives-rebuild.js');
        const rebuilt = await rebuildFromHere({ config, connection, name, app, reason, request });
        const { mode, streams, events, seconds, rowsParked } = rebuilt;
        const forced = rowsParked === undefined ? '' : ` By force: ${rowsParked} rows are parked.`;
        print(
          rebuilt,
          `${name} is rebuilt (${mode}): ${streams} streams, ${events} events in ${seconds.toFixed(1)} s.${forced}`,
        );
      } else if (action === 'parked') {
        const shown = await parkedRows(connection.database, config, { name, release, reason });
        print(shown.data, shown.text);
      } else if (action === 'cancel') {
        const isThere = await connection.asOwner((owner) => cancelRebuild(owner, name));
        if (!isThere) throw new Problem('not-found', { detail: `${name} is not being rebuilt.` });
        await acted(name);
        print({ cancelled: name }, `The rebuild of ${name} is being cancelled.`);
      } else {
        const gone = await connection.asOwner((owner) => cleanRebuilds(owner));
        if (gone.length > 0) await acted(gone.join(', '));
        print(
          gone,
          gone.length === 0
            ? 'There is nothing to clean.'
            : gone.map((table) => `dropped ${table}`).join('\n'),
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

/** Which options belong to which action. */
const actions = {
  list: ['json'],
  rebuild: ['json', 'mode', 'stream', 'max-rate', 'force', 'app', 'reason'],
  parked: ['json', 'release', 'all', 'reason'],
  cancel: ['json', 'reason'],
  clean: ['json', 'reason'],
} as const satisfies Record<string, readonly (keyof typeof options)[]>;

type Action = keyof typeof actions;
type Values = ReturnType<typeof parsed>['values'];

function parse(args: readonly string[]) {
  const { values, positionals } = parsed(args);
  const [action, name, ...rest] = positionals;
  if (action === undefined || !isAction(action) || rest.length > 0)
    throw usage(
      'Say what to do: svc perspectives list, rebuild <name>, parked <name>, cancel <name> or clean',
    );
  if (takesName(action) !== (name !== undefined))
    throw usage(`svc perspectives ${action} ${name === undefined ? 'needs one name' : 'takes no name'}`);
  const known: readonly string[] = actions[action];
  const misplaced = Object.keys(values).find((option) => !known.includes(option));
  if (misplaced !== undefined) throw usage(`--${misplaced} does not belong to ${action}`);
  if (values.all === true && values.release !== undefined)
    throw usage('--release names rows and --all means every one; use one of them');
  const request = action === 'rebuild' ? requestOf(values) : { mode: RebuildMode.BlueGreen };
  return {
    action,
    name: name ?? '',
    json: values.json === true,
    app: values.app,
    reason: values.reason,
    release: values.all === true ? ('all' as const) : values.release,
    request,
  };
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
    throw usage('--stream belongs to SelectedStreams, which needs at least one');
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
