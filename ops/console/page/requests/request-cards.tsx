import { signal } from '@preact/signals';
import { clock, duration, indented } from '../../model/format.js';
import { stepsOf } from '../../model/request-steps.js';
import type { RequestDetail } from '../../model/requests.js';
import type { StreamRecord } from '../../model/system-records.js';
import { Badge, Card, Empty, Facts, Head, Time, toneOf } from '../parts/components.js';
import { chosenHost, linkTo, navigate } from '../parts/navigation.js';
import { Subject } from '../parts/subject.js';
import { LifecycleChart } from './lifecycle-card.js';
import { TraceCard } from './trace-card.js';

/** One request: its facts and what it stored, then how it came to that. */
export const RequestCards = ({ request }: { readonly request: RequestDetail }) => (
  <>
    <div class="pair request">
      <FactsCard request={request} />
      <div class="column">
        <StoredRecords title="Events" hint="stored by this request" records={request.events} />
        <StoredRecords title="Audit" hint="in the system stream" records={request.records} linked />
      </div>
    </div>
    {request.body !== undefined && (
      <Card title="Body" hint="kept in development, without sensitive values">
        <pre tabIndex={0}>{indented(request.body)}</pre>
      </Card>
    )}
    <TraceCard request={request} />
    {request.isRebuilt === true ? (
      <Empty>No host remembers this request; this is from its records in the store.</Empty>
    ) : (
      <PathCard request={request} />
    )}
  </>
);

function FactsCard({ request }: { readonly request: RequestDetail }) {
  const { host, correlationId, command, transport, startedAt, ms, outcome, status, traceId, error } = request;
  const close = (
    <button type="button" class="link" onClick={() => navigate('requests')}>
      Show all
    </button>
  );
  return (
    <Card title="Request" hint={<Badge tone={toneOf(outcome)}>{outcome}</Badge>} actions={close}>
      <Facts
        of={{
          Command: command,
          Host: host,
          Started: clock(startedAt, 'dated'),
          Duration: duration(ms),
          Transport: request.isRebuilt === true ? undefined : transport,
          Status: status,
          Error: error,
          Correlation: (
            <a href={linkTo('system', '', chosenHost.value, { correlation: correlationId })}>
              <code>{correlationId}</code>
            </a>
          ),
          Trace: traceId && <code>{traceId}</code>,
        }}
      />
    </Card>
  );
}

/** Stays as it is when another request is chosen. */
const isPathOpen = signal(false);

/** How the request went through the lifecycle: its steps, and its path in the chart. */
const PathCard = ({ request }: { readonly request: RequestDetail }) => (
  <details
    class="card path"
    open={isPathOpen.value}
    onToggle={(event) => (isPathOpen.value = event.currentTarget.open)}
  >
    <summary>
      <h2>Path through the lifecycle</h2>
      <span class="hint">{request.states.map(([state]) => state).join(' → ')}</span>
    </summary>
    {isPathOpen.value && (
      <>
        <LifecycleChart request={request} />
        <StepTable request={request} />
      </>
    )}
  </details>
);

const StepTable = ({ request }: { readonly request: RequestDetail }) => (
  <table class="steps">
    <Head columns={['#After', 'Step', 'Message']} />
    <tbody>
      {stepsOf(request).map(({ atMs, what, message, failed }, index) => (
        <tr key={index} class={failed ? 'bad' : ''}>
          <td class="number">{duration(atMs)}</td>
          <td>{what}</td>
          <td>{message}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

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
                <td class="number">
                  <Time at={recordedAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}
