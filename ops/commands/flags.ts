import { Problem } from '../../contracts/problems.js';
import { changeFlag } from '../../runtime/flags/change-flag.js';
import { describeFlag } from '../../runtime/flags/describe-flag.js';
import { type ListedFlag, listFlags } from '../../runtime/flags/read-flags.js';
import type { Database } from '../../runtime/database/database.js';
import { cliEditor } from '../cli/access-editor.js';
import { withDatabaseOf } from '../cli/database.js';
import { type Config, readConfig } from '../config/config.js';
import { printResult } from '../terminal/print.js';
import type { Verb } from '../cli/verb.js';
import { type FlagsArguments, parseFlags, usageOfFlags } from './flags-arguments.js';

export const flags: Verb = {
  help: `
svc flags list
svc flags on NAME [--tenant T]… [--user U]… [--percent N] [--reason R] [--new]
svc flags off NAME [--tenant T]… [--user U]… [--reason R] [--new]
svc flags set NAME [--percent N] [--tenant T]… [--user U]… [--reason R] [--new]

A flag is off until you turn it on. Running hosts use a change within two seconds.
Without options, on and off apply to everyone and remove every rule; with --tenant or --user they add rules for those.
--percent turns it on for that share of the users: always the same ones, who keep it while the share grows.
A caller without a user is selected by tenant. set replaces what it names and leaves the rest.
The rule of a user comes before that of the tenant, and both before the percentage.
A name that no host has registered is refused, unless you add --new.
The system stream records every change as FlagChanged, with SVC_ACTOR or the user of the operating system.
The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).

  --json  prints JSON

  svc flags on gift-wrap --tenant acme --reason 'a pilot'
  svc flags set gift-wrap --percent 25
  svc flags off gift-wrap`,
  run: async (args) => {
    const given = parseFlags(args);
    await withDatabaseOf(readConfig(), async (database, config) => {
      const { data, text } = await run(database, config, given);
      printResult(data, text, given.json);
    });
  },
};

interface Result {
  readonly data: unknown;
  readonly text: string;
}

async function run(database: Database, config: Config, given: FlagsArguments): Promise<Result> {
  if (given.action === 'list') return listed(await listFlags(database));
  const { name, change, reason, isNew } = given;
  const options = { reason, isNew };
  const changed = await changeFlag(database, cliEditor(config), name, change, options).catch(offerNew);
  const data = { name, changed: changed.changed, ...changed.rules };
  return { data, text: `${name} is ${describeFlag(changed.rules)}${changed.changed ? '' : ', as it was'}.` };
}

function offerNew(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'not-found') throw error;
  throw usageOfFlags(`${error.detail?.replace(/\.$/, '') ?? ''}; --new creates it`);
}

function listed(all: readonly ListedFlag[]): Result {
  const width = Math.max(0, ...all.map(({ name }) => name.length));
  const lines = all.map((flag) => `${flag.name.padEnd(width)}  ${describeFlag(flag)}${changeText(flag)}`);
  return { data: all, text: lines.length === 0 ? 'There are no flags.' : lines.join('\n') };
}

function changeText({ changed, declared }: ListedFlag): string {
  const unused = declared ? '' : ', used by no host';
  if (changed === undefined) return unused;
  return `${unused} (${changed.by}, ${changed.at}${changed.reason === undefined ? '' : `: ${changed.reason}`})`;
}
