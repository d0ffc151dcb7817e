import { clock, duration } from '../model/format.js';
import type { RequestDetail } from '../model/requests.js';
import type { StreamRecord } from '../model/system-records.js';
import { Badge, Card, Empty, Head, toneOf } from './components.js';
import { linkTo } from './navigation.js';
import { Subject } from './subject.js';
import { TraceCard } from './trace-card.js';
import { SequenceView } from './sequence-view.js';

/** What one request did: its messages, its facts and the records it stored. */
export function RequestCards({
  request,
  step,
}: {
  readonly request: RequestDetail;
  /** The step that is replayed: what came later in the sequence is faded. */
  readonly step: number | undefined;
}) {
  return (
    <>
      <div class="pair">
        <Card title="Sequence" hint={hintOf(request)}>
          {request.isRebuilt === true ? (
            <Empty>No host remembers this request: what is shown is from its records in the store.</Empty>
          ) : (
            <SequenceView request={request} step={step} />
          )}
        </Card>
        <RequestFacts request={request} />
      </div>
      <TraceCard request={request} />
      <StoredRecords title="Events" hint="stored by this request" records={request.events} />
      <StoredRecords title="Audit" hint="in the system stream" records={request.records} linked />
    </>
  );
}

function RequestFacts({ request }: { readonly request: RequestDetail }) {
  const { host, correlationId, command, transport, startedAt, ms, outcome, status, traceId, error } = request;
  return (
    <Card title="Request" hint={<Badge tone={toneOf(outcome)}>{outcome}</Badge>}>
      <dl class="facts">
        <dt>Command</dt>
        <dd>{command}</dd>
        {host !== undefined && <dt>Host</dt>}
        {host !== undefined && <dd>{host}</dd>}
        <dt>Started</dt>
        <dd>{clock(startedAt, 'dated')}</dd>
        <dt>Duration</dt>
        <dd>{duration(ms)}</dd>
        {request.isRebuilt !== true && <dt>Transport</dt>}
        {request.isRebuilt !== true && <dd>{transport}</dd>}
        {status !== undefined && <dt>Status</dt>}
        {status !== undefined && <dd>{status}</dd>}
        {error !== undefined && <dt>Error</dt>}
        {error !== undefined && <dd>{error}</dd>}
        <dt>Correlation</dt>
        <dd>
          <code>{correlationId}</code>
        </dd>
        {traceId !== undefined && <dt>Trace</dt>}
        {traceId !== undefined && (
          <dd>
            <code>{traceId}</code>
          </dd>
        )}
      </dl>
    </Card>
  );
}

function hintOf({ isRebuilt, steps }: RequestDetail): string {
  if (isRebuilt === true) return 'rebuilt from the audit';
  return steps.length > 0 ? 'actors and messages, traced' : 'derived from the times of its states';
}

export function StoredRecords({
  title,
  hint,
  records,
  linked = false,
}: {
  readonly title: string;
  readonly hint: string;
  readonly records: readonly StreamRecord[];
  readonly linked?: boolean;
}) {
  return (
    <Card title={title} hint={hint}>
      {records.length === 0 ? (
        <Empty>No records with its correlation id.</Empty>
      ) : (
        <table>
          <Head columns={['#Position', 'Type', 'About', '#Recorded']} />
          <tbody>
            {records.map(({ position, eventType, subject, recordedAt }) => (
              <tr key={position}>
                <td class="number">
                  {linked ? <a href={linkTo('system', String(position))}>{position}</a> : position}
                </td>
                <td>{eventType}</td>
                <td class="about">
                  <Subject text={subject} />
                </td>
                <td class="number">{clock(recordedAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}
