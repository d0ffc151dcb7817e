import { ago, clock, duration } from '../model/format.js';
import { eventLabel } from '../model/event-label.js';
import type { InstanceDetail, InstanceStep } from '../model/processes.js';
import { act } from './api.js';
import { ask } from './dialog.js';
import { shortKey } from './reactions-cards.js';
import { Badge, Card, Empty, Head, toneOf } from './components.js';
import { chosenHost, linkTo, linkToStream, openItem, openPosition } from './navigation.js';
import { InstancePath } from './process-chart.js';
import { detail, detailFailure, useInstance } from './processes-state.js';
import { StoredRecords } from './request-cards.js';
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
            {shown.status === 'parked' && <RetryButton name={name} instance={key} />}
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
        <Facts shown={shown} />
      </div>
      <Card title="Timers" hint="of this instance">
        <TimerTable timers={shown.timers} now={Date.parse(shown.now)} empty="It waits for no timer." />
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

const RetryButton = ({ name, instance }: { readonly name: string; readonly instance: string }) => (
  <button type="button" class="plain" onClick={() => askToRetry(name, instance)}>
    Retry
  </button>
);

const askToRetry = (name: string, key: string): void =>
  ask({
    title: `Retry ${shortKey(key)} of ${name}?`,
    text: 'The event or timer that stopped it is tried again at once; if it fails again, the instance is parked again.',
    confirm: 'Retry',
    asksWhy: true,
    done: `${key} is tried again.`,
    act: (_, reason) => act(`processes/${encodeURIComponent(name)}/retry`, { key, reason }),
  });

function Facts({ shown }: { readonly shown: InstanceDetail }) {
  const { name, version, state, status, startedAt, updatedAt, error, now } = shown;
  return (
    <Card title="Instance">
      <dl class="facts">
        <dt>Process</dt>
        <dd>
          {name}, version {version}
        </dd>
        <dt>State</dt>
        <dd>{state === '' ? 'not started' : state}</dd>
        <dt>Since</dt>
        <dd>
          {clock(updatedAt, 'dated')} ({ago(updatedAt, Date.parse(now))})
        </dd>
        <dt>Started</dt>
        <dd>{clock(startedAt, 'dated')}</dd>
        {status === 'ended' && <dt>Duration</dt>}
        {status === 'ended' && <dd>{duration(Date.parse(updatedAt) - Date.parse(startedAt))}</dd>}
        {error !== null && <dt>Error</dt>}
        {error !== null && <dd class="reason">{error}</dd>}
      </dl>
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
        <Empty>It has taken no step.</Empty>
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
      <td class="number">{clock(at)}</td>
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
