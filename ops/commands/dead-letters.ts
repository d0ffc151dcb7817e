import { Problem } from '../../contracts/problems.js';
import type { OperatorCall } from '../../runtime/store/operator-action.js';
import type { Database } from '../../runtime/database/database.js';
import {
  type DeadLetter,
  isErased,
  listDeadLetters,
  type Resolution,
  resolveDeadLetter,
  type ShownDeadLetter,
  showDeadLetter,
} from '../../runtime/dead-letters/dead-letters.js';
import { cliEditor } from '../cli/access-editor.js';
import { withDatabaseOf } from '../cli/database.js';
import { readConfig } from '../config/config.js';
import type { Verb } from '../cli/verb.js';
import { printResult } from '../terminal/print.js';
import { selectionOf, replayingText, replayMany } from './dead-letters-replay.js';
import { argumentsOf, reasonIn, usageOf } from './arguments.js';

export const deadLetters: Verb = {
  help: `
svc dead-letters list
svc dead-letters show <id>
svc dead-letters replay <id> [--reason TEXT]
svc dead-letters replay --fingerprint F | --error TEXT [--reason TEXT]
svc dead-letters discard <id> --reason TEXT

A message that the transport rejected too often becomes a dead letter; its event stays in the log.
A message of another store that cannot be stored becomes a dead letter and keeps its original bytes.
replay makes a running host publish or receive the message again; discard gives it up.
A received message is kept until it is replayed or discarded.
The system stream records who did it and why: SVC_ACTOR, or the user of the operating system.
The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).

  --json           prints JSON
  --fingerprint F  replays all with this fingerprint; see list --json
  --error TEXT     replays all whose error contains the text
  --reason TEXT    why; required by discard

  svc dead-letters discard 7 --reason "sent by hand"`,
  run: async (args) => {
    const { action, id, kind, json, reason } = parse(args);
    await withDatabaseOf(readConfig(), async (database, config) => {
      const call = { database, operator: cliEditor(config), reason };
      if (kind !== undefined) print(await replayMany(call, kind), json, replayingText);
      else if (action === 'list') print(await listDeadLetters(database), json, listText);
      else if (action === 'show') print(await mustFind(database, id), json, showText);
      else print(await resolve(call, action, id), json, resolvedText);
    });
  },
};

const actions = ['list', 'show', 'replay', 'discard'] as const;

function parse(args: readonly string[]) {
  const { values, positionals } = parsed(args);
  const [wanted, text, ...rest] = positionals;
  const action = actions.find((name) => name === wanted);
  const kind = selectionOf(values);
  if (kind !== undefined && action !== 'replay')
    throw usage('--fingerprint and --error are options of replay');
  const takesId = action !== 'list' && kind === undefined;
  if (action === undefined || rest.length > 0 || takesId !== (text !== undefined)) {
    throw usage('Give one action: svc dead-letters list, or show, replay or discard with one id');
  }
  if (text !== undefined && !/^\d{1,15}$/.test(text)) throw usage(`'${text}' is not the id of a dead letter`);
  const reason = reasonIn(values.reason, usage);
  if (values.reason !== undefined && action !== 'replay' && action !== 'discard')
    throw usage('--reason is an option of replay and discard');
  if (action === 'discard' && reason === undefined)
    throw usage('A reason is missing: svc dead-letters discard <id> --reason TEXT');
  return { action, id: Number(text ?? 0), kind, json: values.json === true, reason };
}

function parsed(args: readonly string[]) {
  const options = {
    json: { type: 'boolean' },
    reason: { type: 'string' },
    fingerprint: { type: 'string' },
    error: { type: 'string' },
  } as const;
  return argumentsOf(args, options, usage);
}

const usage = usageOf('dead-letters');

async function mustFind(database: Pick<Database, 'rows'>, id: number): Promise<ShownDeadLetter> {
  const found = await showDeadLetter(database, id);
  if (found !== undefined) return found;
  throw new Problem('not-found', { detail: `There is no dead letter ${id}.` });
}

async function resolve(call: OperatorCall, how: Resolution, id: number): Promise<DeadLetter> {
  const isResolved = await resolveDeadLetter(call, id, how);
  const { message: _, ...letter } = await mustFind(call.database, id);
  if (isResolved) return letter;
  const { bytes = 0, bytesKept = 0 } = letter;
  if (how === 'replay' && bytesKept < bytes && !isErased(letter)) {
    const detail = `Dead letter ${id} cannot be replayed: only the first ${bytesKept} of its ${bytes} bytes were kept.`;
    throw new Problem('usage', { detail });
  }
  throw new Problem('not-found', { detail: `Dead letter ${id} is already ${letter.state}.` });
}

function print<T>(data: T, json: boolean, text: (data: T) => string): void {
  printResult(data, text(data), json);
}

const listText = (letters: readonly DeadLetter[]): string =>
  letters.length === 0 ? 'There are no dead letters.' : letters.map(lineOf).join('\n');

function lineOf({
  id,
  source,
  deadAt,
  state,
  attempts,
  destination,
  messageId,
  lastError,
}: DeadLetter): string {
  const attemptsText =
    source === 'inbox' ? `received ${attempts} times, not stored` : `rejected ${attempts} times`;
  return `${id}  ${deadAt}  ${state}  ${oneLine(destination)}  ${oneLine(messageId || 'no id')}  ${attemptsText}: ${oneLine(lastError)}`;
}

function showText({ message, ...letter }: ShownDeadLetter): string {
  const lines = Object.entries(letter).map(([name, value]) => `${name.padEnd(12)} ${oneLine(textOf(value))}`);
  if (isErased(letter)) {
    const erased = `Dead letter ${letter.id} is ${letter.state}: its message is not kept and cannot be replayed.`;
    return [...lines, erased].join('\n');
  }
  return [...lines, 'message', JSON.stringify(message, null, 2) ?? 'cannot be read'].join('\n');
}

function resolvedText({ id, state, source }: DeadLetter): string {
  if (state === 'discarded') return `Dead letter ${id} is discarded.`;
  return source === 'inbox'
    ? `Dead letter ${id} will be received again by the subscriber of a running host.`
    : `Dead letter ${id} will be published again by the relay of a running host.`;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
