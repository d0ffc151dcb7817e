import { OperatorActed } from '../../contracts/events/operator.js';
import { Problem } from '../../contracts/problems.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { AccessEditor } from '../../runtime/access/recorded-change.js';
import type { Database, Session } from '../../runtime/database/database.js';
import { sqlStateOf } from '../../runtime/database/sql-error.js';
import { nowText } from '../../runtime/lang/now-text.js';
import { appendRecords, inRecordedTransaction } from '../../runtime/store/append-records.js';
import { started } from './deployment-events.js';
import { columns, deploymentIn, type StoredDeployment } from './deployment-rows.js';
import type { Deployment, OperatorRequest } from './journal.js';
import type { DeploymentOptions } from './steps.js';

/** A lease that is not renewed for so long may be taken by another process. */
export const leaseSeconds = 15;

export type NewDeployment = Pick<
  Deployment,
  'id' | 'service' | 'strategy' | 'revision' | 'previous' | 'source' | 'config' | 'options' | 'actor'
>;

/** The deployments of a store. Every change is stored together with its system event. */
export class DeploymentStore {
  constructor(
    private readonly owner: Database,
    private readonly editor: AccessEditor,
  ) {}

  /** Acquires the deploy lock; refused while another deployment is unfinished. */
  async start(deployment: NewDeployment, holder: string): Promise<StoredDeployment> {
    try {
      return await this.change(async (session) => {
        const { id, service, strategy, revision, previous, source, config, options, actor } = deployment;
        const stored = await one(session, {
          text: `INSERT INTO svc_deployments
            (id, service, strategy, revision, previous, source, config, options, actor, holder, lease_expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ${leaseEnd}) RETURNING ${columns}`,
          values: [
            ...[id, service, strategy, revision, previous, source, config],
            ...[JSON.stringify(options), actor, holder],
          ],
        });
        return { result: stored, events: [started(stored)] };
      });
    } catch (error) {
      if (sqlStateOf(error) !== '23505') throw error;
      throw conflict(await this.unfinished());
    }
  }

  async unfinished(): Promise<StoredDeployment | undefined> {
    const [row] = await this.owner.rows({
      text: `SELECT ${columns} FROM svc_deployments WHERE finished_at IS NULL`,
    });
    return row === undefined ? undefined : deploymentIn(row);
  }

  /** Newest first. */
  async history(limit: number): Promise<readonly StoredDeployment[]> {
    const rows = await this.owner.rows({
      text: `SELECT ${columns} FROM svc_deployments ORDER BY started_at DESC LIMIT $1`,
      values: [limit],
    });
    return rows.map(deploymentIn);
  }

  /** Takes the lease of a process that does not hold it anymore, or of `from`, which is known to have ended. */
  async acquire(id: string, holder: string, from?: string): Promise<StoredDeployment | undefined> {
    const [row] = await this.owner.rows({
      text: `UPDATE svc_deployments SET holder = $2, request = NULL, lease_expires_at = ${leaseEnd}
        WHERE id = $1 AND finished_at IS NULL AND (holder = $3 OR lease_expires_at <= clock_timestamp())
        RETURNING ${columns}`,
      values: [id, holder, from ?? null],
    });
    return row === undefined ? undefined : deploymentIn(row);
  }

  /** What a deployment learns when its target is bound. */
  async bind(id: string, holder: string, options: DeploymentOptions): Promise<StoredDeployment | undefined> {
    const [row] = await this.owner.rows({
      text: `UPDATE svc_deployments SET options = $3 WHERE id = $1 AND holder = $2 RETURNING ${columns}`,
      values: [id, holder, JSON.stringify(options)],
    });
    return row === undefined ? undefined : deploymentIn(row);
  }

  /** Lets any process take the deployment over at once. */
  async release(id: string, holder: string): Promise<void> {
    await this.owner.rows({
      text: 'UPDATE svc_deployments SET lease_expires_at = clock_timestamp() WHERE id = $1 AND holder = $2',
      values: [id, holder],
    });
  }

  async find(id: string): Promise<StoredDeployment | undefined> {
    const [row] = await this.owner.rows({
      text: `SELECT ${columns} FROM svc_deployments WHERE id = $1`,
      values: [id],
    });
    return row === undefined ? undefined : deploymentIn(row);
  }

  /** Asks the process that holds the lease; an abort is not replaced by a later request. */
  request(id: string, request: OperatorRequest, reason: string | undefined): Promise<boolean> {
    return this.change(async (session) => {
      const rows = await session.rows({
        text: `UPDATE svc_deployments SET request = $2, reason = CASE WHEN $2 = 'abort' THEN $3 ELSE reason END
          WHERE id = $1 AND finished_at IS NULL AND request IS DISTINCT FROM 'abort' RETURNING 1`,
        values: [id, request, reason],
      });
      return { result: rows.length > 0, events: rows.map(() => this.acted(request, id, reason)) };
    });
  }

  /** Whether the last request was taken. */
  async isAnswered(id: string): Promise<boolean> {
    const [row] = await this.owner.rows({
      text: 'SELECT request IS NULL FROM svc_deployments WHERE id = $1',
      values: [id],
    });
    return row?.[0] === 't';
  }

  /** The events are stored in the transaction of the change. */
  async change<T>(body: (session: Session) => Promise<Recorded<T>>): Promise<T> {
    const { host, recordOf } = this.editor;
    const session = await this.owner.session();
    try {
      return await inRecordedTransaction(session, async () => {
        const { result, events } = await body(session);
        if (events.length > 0) await appendRecords(session, host, events.map(recordOf));
        return result;
      });
    } finally {
      session.release();
    }
  }

  private acted(request: OperatorRequest, target: string, reason: string | undefined): SystemMessage {
    const actor = this.editor.changedBy;
    return new OperatorActed({ action: `deploy ${request}`, target, actor, reason, timestamp: nowText() });
  }
}

interface Recorded<T> {
  readonly result: T;
  readonly events: readonly SystemMessage[];
}

const leaseEnd = `clock_timestamp() + interval '${leaseSeconds} seconds'`;

async function one(session: Session, statement: Parameters<Session['rows']>[0]): Promise<StoredDeployment> {
  const [row] = await session.rows(statement);
  return deploymentIn(row ?? []);
}

function conflict(other: StoredDeployment | undefined): Problem {
  const detail =
    other === undefined
      ? 'Another deployment has just ended; run the command again.'
      : `${leftText(other)}; ${other.isDriven ? 'wait for it, or run svc deploy abort' : 'run svc deploy abort or resume'}.`;
  return new Problem('deployment-conflict', { detail });
}

/** What an unfinished deployment is, in one line. */
export const leftText = ({ strategy, revision, actor, toNew, state, isDriven }: StoredDeployment): string =>
  isDriven
    ? `The ${strategy} deployment of ${revision} by ${actor} is ${state} at ${toNew} %`
    : `The ${strategy} deployment of ${revision} by ${actor} was left at ${toNew} %: no process drives it`;
