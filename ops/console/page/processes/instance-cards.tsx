import { ago, clock, duration } from '../../model/format.js';
import { eventLabel } from '../../model/event-label.js';
import type { InstanceDetail, InstanceStep } from '../../model/processes.js';
import { Badge, Card, Empty, Facts, Head, Time, toneOf } from '../parts/components.js';
import {
  chosenHost,
  linkTo,
  linkToStream,
  linkToStuck,
  openItem,
  openPosition,
} from '../parts/navigation.js';
import { InstancePath } from './process-chart.js';
import { detail, detailFailure, useInstance } from './processes-state.js';
import { StoredRecords } from '../requests/request-cards.js';
import { TimerTable } from './timers-card.js';

/** What one instance of a process did, and what it waits for. */
export function InstanceCards() {
  useInstance();
  const shown = detail.value;
  const [name, key] = [openItem.value, openPosition.value];
  const close = <a href={linkTo('processes', name, chosenHost.value)}>All instances</a>;
  if (shown === undefined || detailFailure.value !== '')
    return (
      <Card title={key} actions={close}>
        <Empty>{detailFailure.value === '' ? 'Loading …' : detailFailure.value}</Empty>
      </Card>
    );
  return (
    <>
      <Card
        title={key}
        hint={<Badge tone={toneOf(shown.status)}>{shown.status}</Badge>}
        actions={
          <>
            {shown.status === 'parked' && <a href={linkToStuck(followerOf(shown))}>Repair</a>}
            {close}
          </>
        }
      >
        {shown.machine === null ? (
          <Empty>
            This host does not have version {shown.version} of {name}, so its chart is not known.
          </Empty>
        ) : (
          <InstancePath {...shown} />
        )}
      </Card>
      <div class="pair">
        <StepsCard shown={shown} />
        <FactsCard shown={shown} />
      </div>
      <Card title="Timers" hint="of this instance">
        <TimerTable timers={shown.timers} now={Date.parse(shown.now)} empty="It has no timers." />
      </Card>
      <StoredRecords
        title="Events"
        hint="with the correlation ids of its steps, around their times"
        records={shown.events}
      />
      <StoredRecords title="Commands and audit" hint="in the system stream" records={shown.records} linked />
    </>
  );
}

/** What stopped it: a timer, or an event. */
const followerOf = ({ name, timers }: InstanceDetail): string =>
  timers.some(({ parked }) => parked) ? 'timers' : `process/${name}`;

function FactsCard({ shown }: { readonly shown: InstanceDetail }) {
  const { name, version, state, status, startedAt, updatedAt, error, now } = shown;
  return (
    <Card title="Instance">
      <Facts
        of={{
          Process: `${name}, version ${version}`,
          State: state === '' ? 'not started' : state,
          Since: `${clock(updatedAt, 'dated')} (${ago(updatedAt, Date.parse(now))})`,
          Started: clock(startedAt, 'dated'),
          Duration: status === 'ended' ? duration(Date.parse(updatedAt) - Date.parse(startedAt)) : undefined,
          Error: error && <span class="reason">{error}</span>,
        }}
      />
    </Card>
  );
}

const keptSteps = 50;

function StepsCard({ shown: { steps } }: { readonly shown: InstanceDetail }) {
  return (
    <Card
      title="Steps"
      hint={steps.length >= keptSteps ? `the last ${keptSteps}, oldest first` : 'oldest first'}
    >
      {steps.length === 0 ? (
        <Empty>It has no steps yet.</Empty>
      ) : (
        <table>
          <Head columns={['#Time', 'Event', 'From', 'To', 'Commands']} />
          <tbody>
            {steps.map((step, index) => (
              <Step key={index} step={step} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

function Step({ step: { at, event, from, to, sent = [], cause } }: { readonly step: InstanceStep }) {
  const isCause = cause?.eventType === event;
  return (
    <tr>
      <td class="number">
        <Time at={at} />
      </td>
      <td>
        {cause !== undefined && isCause ? (
          <a href={linkToStream(cause.streamId, cause.streamPosition)}>{event}</a>
        ) : (
          eventLabel(event)
        )}
      </td>
      <td>{from ?? 'started'}</td>
      <td>{to}</td>
      <td>{sent.join(', ')}</td>
    </tr>
  );
}
