import { Problem } from '../../contracts/problems.js';
import type { OperatorCall } from '../../runtime/store/operator-action.js';
import type { Database } from '../../runtime/database/database.js';
import { cliEditor } from '../cli/access-editor.js';
import { withDatabaseOf } from '../cli/database.js';
import { readConfig } from '../config/config.js';
import { printResult, printToStderr } from '../terminal/print.js';
import type { Verb } from '../cli/verb.js';
import { argumentsOf, reasonIn, usageOf } from './arguments.js';

/** What an action of a verb prints. */
export interface OperatorResult {
  readonly data: unknown;
  readonly text: string;
  /** How many more there are than it lists. */
  readonly more?: number;
}

/** A checked call. */
export interface OperatorInput {
  readonly database: Database;
  readonly call: OperatorCall;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | undefined>>;
  readonly isForced: boolean;
  readonly limit: number;
}

export interface OperatorAction {
  /** The names of its arguments; one that may be left out ends with `?`. */
  readonly takes: readonly string[];
  /** A list has a limit; an action may have a reason. */
  readonly does: 'list' | 'show' | 'act';
  readonly options?: readonly string[];
  /** For what cannot be undone. */
  readonly needsReason?: boolean;
  /** It has --force. */
  readonly mayForce?: boolean;
  run(input: OperatorInput): Promise<OperatorResult>;
}

const defaultLimit = 200;
const maxLimit = 10_000;
const maxArgumentLength = 2_000;

/** A verb for what the store holds of reactions, processes, timers or reservations. */
export function operatorVerb(
  name: string,
  help: string,
  actions: Readonly<Record<string, OperatorAction>>,
): Verb {
  return {
    help,
    run: async (given) => {
      const { action, json, reason, ...input } = parse(name, actions, given);
      await withDatabaseOf(readConfig(), async (database, config) => {
        await mustHaveReactions(database);
        const call = { database, operator: cliEditor(config), reason };
        const { data, text, more = 0 } = await action.run({ ...input, database, call });
        printResult(data, text, json);
        if (more > 0) printToStderr(`svc: ${more} more; --limit N lists up to N, at most ${maxLimit}.\n`);
      });
    },
  };
}

/** How many of all are not listed. */
export const moreThan = async (
  { length }: readonly unknown[],
  limit: number,
  count: () => Promise<number>,
): Promise<number> => (length < limit ? 0 : Math.max(0, (await count()) - length));

function parse(verb: string, actions: Readonly<Record<string, OperatorAction>>, given: readonly string[]) {
  const usage = usageOf(verb);
  const { values, positionals } = argumentsOf(given, optionsOf(actions), usage);
  const [wanted = '', ...args] = positionals;
  const action = Object.hasOwn(actions, wanted) ? actions[wanted] : undefined;
  if (action === undefined) throw usage(`Give one action: ${Object.keys(actions).join(', ')}`);
  const least = action.takes.filter((one) => !one.endsWith('?')).length;
  if (args.length < least || args.length > action.takes.length)
    throw usage(`Give it as svc ${verb} ${[wanted, ...action.takes.map(shown)].join(' ')}`);
  if (args.some((text) => text === '' || text.length > maxArgumentLength || text.includes('\0')))
    throw usage(`Each argument is a text of 1 to ${maxArgumentLength} characters`);
  const foreign = Object.keys(values).find((option) => !knownBy(action).includes(option));
  if (foreign !== undefined) throw usage(`--${foreign} is not an option of ${wanted}`);
  const { json, force, reason: why, limit, ...options } = values as GivenOptions;
  const reason = reasonIn(why, usage);
  if (action.needsReason === true && reason === undefined) throw usage(`${wanted} needs --reason TEXT`);
  return {
    action,
    args,
    options,
    reason,
    json: json === true,
    isForced: force === true,
    limit: limitIn(limit, usage),
  };
}

type GivenOptions = Readonly<Record<string, string | undefined>> & {
  readonly json?: boolean;
  readonly force?: boolean;
};

function optionsOf(actions: Readonly<Record<string, OperatorAction>>) {
  const own = Object.values(actions).flatMap(({ options = [] }) => options);
  const texts = ['reason', 'limit', ...own].map((name) => [name, { type: 'string' }] as const);
  const flags = ['json', 'force'].map((name) => [name, { type: 'boolean' }] as const);
  return Object.fromEntries([...texts, ...flags]);
}

const knownBy = ({ does, options = [], mayForce = false }: OperatorAction): readonly string[] => [
  ...['json', ...options],
  ...(does === 'act' ? ['reason'] : []),
  ...(does === 'list' ? ['limit'] : []),
  ...(mayForce ? ['force'] : []),
];

const shown = (argument: string): string =>
  argument.endsWith('?') ? `[${argument.slice(0, -1)}]` : argument;

function limitIn(text: string | undefined, usage: (detail: string) => Problem): number {
  if (text === undefined) return defaultLimit;
  const limit = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : Infinity;
  if (limit <= maxLimit) return limit;
  throw usage(`--limit must be a whole number from 1 to ${maxLimit}, not '${text}'`);
}

/** A store that no host of this version has opened yet. */
async function mustHaveReactions(database: Database): Promise<void> {
  const [row] = await database.rows({ text: "SELECT to_regclass('svc_reactions') IS NOT NULL" });
  if (row?.[0] === 't') return;
  throw new Problem('invalid-setup', {
    detail: 'The store has no reactions yet; run svc migrate, or start a host.',
  });
}
