import { Problem } from '../../contracts/problems.js';
import type { Database } from '../database/database.js';
import { operatorActed, type OperatorCall, recordToStore } from '../store/operator-action.js';
import { inChunks } from '../lang/in-chunks.js';
import type { Repair, RepairPlan } from './repair-plan.js';
import { notify } from '../database/notify.js';

/** What became of entries that an operator wanted to repair. */
interface Repaired {
  readonly repaired: number;
  /** Those that had been repaired or had moved on before. */
  readonly left: readonly string[];
}

/** Repairs one entry; false: it is not stuck anymore as its id says. */
export async function repairEntry(call: OperatorCall, action: Repair, id: string): Promise<boolean> {
  mustBeStorable(id);
  const record = recordToStore(call, operatorActed(call, `stuck ${action}`, id));
  const done = await repair(call, record, action, [id], null);
  await wakeHosts(call);
  return done?.repaired === 1;
}

/** Keeps the ids of a plan for a day, so that exactly these can be repaired. */
export async function keepPlan(
  database: Pick<Database, 'rows'>,
  { token, action, ids }: RepairPlan,
  selection: string,
): Promise<void> {
  await database.rows({
    text: 'SELECT svc_keep_plan($1, $2, $3, $4)',
    values: [token, action, selection, ids],
  });
}

/** A plan that was kept, as far as it has not been carried out. */
export interface KeptPlan {
  readonly token: string;
  readonly action: Repair;
  readonly selection: string;
  readonly count: number;
}

export async function findPlan(
  database: Pick<Database, 'rows'>,
  token: string,
): Promise<KeptPlan | undefined> {
  const [row] = await database.rows({
    text: `SELECT action, selection, sum(cardinality(ids)) FROM svc_stuck_plans WHERE token = $1 GROUP BY 1, 2`,
    values: [token],
  });
  return row && { token, action: row[0] as Repair, selection: row[1] ?? '', count: Number(row[2]) };
}

/** What is recorded of each chunk. */
interface RecordedAs {
  readonly action: string;
  readonly target: string;
}

/**
 * Repairs the entries of a plan, chunk by chunk, each with its record. A run that is interrupted can be repeated: it
 * continues with the next chunk.
 */
export async function carryOut(
  call: OperatorCall,
  { token, action, selection, count }: KeptPlan,
  progress: (repaired: number) => void = () => undefined,
  recorded: RecordedAs = { action: `stuck ${action}`, target: selection },
): Promise<Repaired> {
  const left: string[] = [];
  let [repaired, wokenAt] = [0, -Infinity];
  await inChunks(async () => {
    const details = { plan: token, entries: '' };
    const record = recordToStore(call, operatorActed(call, recorded.action, recorded.target, details));
    const done = await repair(call, record, action, null, token);
    if (done === undefined) return false;
    repaired += done.repaired;
    left.push(...done.left);
    progress(repaired);
    if (performance.now() - wokenAt > wakeEveryMs) {
      await wakeHosts(call);
      wokenAt = performance.now();
    }
    return repaired + left.length < count;
  });
  await wakeHosts(call);
  return { repaired, left };
}

/** Each host asks for its leases when it is woken, and looks for what was released. */
const wakeEveryMs = 1_000;

const wakeHosts = ({ database }: OperatorCall): Promise<void> => notify(database, 'svc', 'svc_lease');

async function repair(
  { database, operator, reason }: OperatorCall,
  { parameters, stored }: ReturnType<typeof recordToStore>,
  action: Repair,
  ids: readonly string[] | null,
  token: string | null,
): Promise<Repaired | undefined> {
  const [[result = null] = []] = await database.rows({
    text: 'SELECT svc_repair_stuck($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
    values: [action, ids, token, operator.changedBy, reason ?? null, operator.host, ...parameters],
  });
  if (result === null) return undefined;
  const done = JSON.parse(result) as Repaired;
  if (done.repaired > 0) stored();
  return done;
}

function mustBeStorable(id: string): void {
  if (!id.includes('\0')) return;
  throw new Problem('invalid-query', { detail: 'The id of a stuck entry does not contain U+0000.' });
}
