import { Problem } from '../../contracts/problems.js';
import type { OperatorCall } from '../../runtime/store/operator-action.js';
import type { Database } from '../../runtime/database/database.js';
import { printableLine } from '../../runtime/lang/printable.js';
import { planOf, type Repair, refusalOf, selectionText } from '../../runtime/stuck/repair-plan.js';
import {
  carryOut,
  findPlan,
  keepPlan,
  type KeptPlan,
  repairEntry,
} from '../../runtime/stuck/repair-stuck.js';
import {
  countStuck,
  listStuck,
  listToPlan,
  showStuck,
  type StuckFilter,
} from '../../runtime/stuck/stuck-entries.js';
import { cliEditor } from '../cli/access-editor.js';
import { withDatabaseOf } from '../cli/database.js';
import { readConfig } from '../config/config.js';
import { printResult, printToStderr } from '../terminal/print.js';
import type { Verb } from '../cli/verb.js';
import { carryOutShown } from './carry-out-shown.js';
import { moreThan } from './operator-verb.js';
import { stuckRequestIn } from './stuck-arguments.js';
import { entryText, leftText, planText, shownText } from './stuck-text.js';

export const stuck: Verb = {
  help: `
svc stuck list [FILTERS]
svc stuck show ID
svc stuck retry|skip ID --reason TEXT
svc stuck retry|skip [FILTERS] --reason TEXT
svc stuck retry|skip --yes [--plan TOKEN] [FILTERS] --reason TEXT

list shows everything that waits for an operator (parked) or is retried automatically (retrying), parked and oldest first:
keys of reactions and processes, rows of perspectives, timers, requests of effects, messages that cannot be published or
received. show adds the event at which an entry is stuck: its type, stream and position, never its content.
retry lets running hosts try parked entries again at once. skip gives up the event, message, timer or request at which an
entry is stuck, never a later one: it is not handled, and this cannot be undone. A row of a perspective cannot be skipped, because a
read model is folded from all its events.
Without an id, retry and skip apply to all matching entries. They only count them by cause, and print a token.
--yes --plan TOKEN then acts on exactly the counted entries; it lists those that have changed since, and leaves them
alone. --yes alone acts on what matches now. It works in chunks of 50; if it is interrupted, --yes --plan TOKEN continues
after the last chunk.
The system stream records each entry or chunk as OperatorActed, with SVC_ACTOR or the user of the operating system.
The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).

  --follower F     reaction/NAME, process/NAME, perspective/NAME, effect/NAME, one of these kinds,
                   timers, outbox or inbox
  --error TEXT     entries whose error contains the text
  --fingerprint F  entries whose error is of this kind; see list
  --since T        entries that are stuck since this time or later, such as 2026-12-01T00:00:00Z
  --tenant T       entries of this tenant
  --limit N        lists up to N entries (200), or acts on the oldest N
  --yes            retries or skips all that match
  --plan TOKEN     retries or skips the entries that were counted with this token
  --reason TEXT    why; required by retry and skip
  --json           prints JSON

  svc stuck retry --follower reaction/reserve-stock --error 'no stock' --reason 'the stock was counted again'`,
  run: async (args) => {
    const request = stuckRequestIn(args);
    await withDatabaseOf(readConfig(), async (database, config) => {
      const print: Print = (data, text) => printResult(data, text, request.json);
      if (request.action === 'list') return list(database, request, print);
      if (request.action === 'show') {
        const entry = await mustFind(database, request.id);
        return print(entry, shownText(entry));
      }
      const { action, reason, entries } = request;
      const call = { database, operator: cliEditor(config), reason };
      if ('id' in entries) await repairOne(call, action, entries.id, print);
      else if ('plan' in entries) await act(call, await planNamed(database, action, entries), print);
      else await repairMany(call, action, entries, print);
    });
  },
};

type Print = (data: unknown, text: string) => void;

async function list(
  database: Database,
  { filter, limit }: { readonly filter: StuckFilter; readonly limit: number },
  print: Print,
): Promise<void> {
  const entries = await listStuck(database, filter, limit);
  print(entries, entries.length === 0 ? 'Nothing is stuck.' : entries.map(entryText).join('\n'));
  const more = await moreThan(entries, limit, () => countStuck(database, filter));
  if (more > 0) printToStderr(`svc: ${more} more; --limit N lists up to N, at most 10000.\n`);
}

async function mustFind(database: Database, id: string) {
  const entry = await showStuck(database, id);
  if (entry !== undefined) return entry;
  throw new Problem('not-found', {
    detail: `${printableLine(id)} is not stuck: it was repaired, or has moved on; see svc stuck list.`,
  });
}

const done = { retry: 'retried', skip: 'skipped' } as const;

async function repairOne(
  call: OperatorCall & { readonly database: Database },
  action: Repair,
  id: string,
  print: Print,
): Promise<void> {
  const why = refusalOf(action, await mustFind(call.database, id));
  if (why !== undefined) throw new Problem('usage', { detail: `Left alone: ${why}.` });
  if (!(await repairEntry(call, action, id))) {
    await mustFind(call.database, id);
    throw new Problem('usage', { detail: unchanged(id) });
  }
  print(
    { [done[action]]: id },
    action === 'retry'
      ? `${printableLine(id)} is retried by running hosts.`
      : `${printableLine(id)} is given up.`,
  );
}

const unchanged = (id: string): string =>
  id.startsWith('inbox/')
    ? 'Left alone: only the beginning of this message was kept, so it cannot be received again; skip gives it up.'
    : 'Left alone: a host is changing this entry; try again.';

interface Selected {
  readonly filter: StuckFilter;
  readonly limit: number;
  readonly yes: boolean;
}

async function repairMany(
  call: OperatorCall,
  action: Repair,
  { filter, limit, yes }: Selected,
  print: Print,
): Promise<void> {
  const plan = planOf(action, await listToPlan(call.database, filter, limit));
  const { token, ids, causes, oldest, refused } = plan;
  const selection = selectionText(filter);
  if (ids.length > 0) await keepPlan(call.database, plan, selection);
  if (!yes)
    print(
      { action, plan: ids.length === 0 ? null : token, count: ids.length, causes, oldest, left: refused },
      planText(plan),
    );
  else {
    for (const { why, count } of refused) printToStderr(`svc: ${count} left: ${why}.\n`);
    await act(call, { token, action, selection, count: ids.length }, print);
  }
}

async function planNamed(
  database: Database,
  action: Repair,
  { plan, filter }: { readonly plan: string; readonly filter: StuckFilter },
): Promise<KeptPlan> {
  const kept = await findPlan(database, plan);
  if (kept === undefined)
    throw new Problem('not-found', {
      detail: `There is no plan ${plan}: it was carried out, or is older than a day; make one without --yes.`,
    });
  if (kept.action !== action)
    throw new Problem('usage', { detail: `${plan} is a plan to ${kept.action}, not to ${action}.` });
  const asked = selectionText(filter);
  if (asked === 'everything' || asked === kept.selection) return kept;
  throw new Problem('usage', {
    detail: `The plan ${plan} was made for ${kept.selection}; leave the filters out, or make another plan.`,
  });
}

async function act(call: OperatorCall, plan: KeptPlan, print: Print): Promise<void> {
  const { action, token } = plan;
  const { repaired, left } = await carryOutShown(plan, (progress) => carryOut(call, plan, progress));
  print(
    { action, plan: token, [done[action]]: repaired, left },
    `${repaired} ${repaired === 1 ? 'entry' : 'entries'} ${done[action]}.`,
  );
  printToStderr(leftText(left));
}
