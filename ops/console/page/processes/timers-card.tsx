import type { ListedTimer } from '../../../../runtime/reactions/reaction-lists.js';
import { count, shortKey } from '../../model/format.js';
import { act } from '../parts/api.js';
import { ask } from '../parts/dialog.js';
import { Badge, Card, Empty, Head, Time, toneOf } from '../parts/components.js';
import { dueText } from './instances-card.js';
import { linkToInstance, linkToStuck } from '../parts/navigation.js';
import { timersPage } from './processes-state.js';

const mostListed = 100;

/** What happens next: timers by due time. */
export function TimersCard() {
  const page = timersPage.value;
  const timers = page?.timers ?? [];
  const hint = timers.length >= mostListed ? `the first ${count(timers.length)} by due time` : 'by due time';
  return (
    <Card title="Timers" hint={hint}>
      <TimerTable timers={timers} now={Date.parse(page?.now ?? '')} empty="No timers are set." />
    </Card>
  );
}

export function TimerTable({
  timers,
  now,
  empty,
}: {
  readonly timers: readonly ListedTimer[];
  readonly now: number;
  readonly empty: string;
}) {
  if (timers.length === 0) return <Empty>{empty}</Empty>;
  return (
    <table>
      <Head columns={['Name', '#Due', 'Time', 'Kind', 'Key', 'State', '#Attempts', 'Error', '(Actions)']} />
      <tbody>
        {timers.map((timer) => (
          <Row key={timer.id} timer={timer} now={now} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ timer, now }: { readonly timer: ListedTimer; readonly now: number }) {
  const { kind, name, key, dueAt, attempts, parked, error } = timer;
  const state = parked ? 'parked' : attempts > 0 ? 'retrying' : 'waiting';
  return (
    <tr>
      <th scope="row">{name === '' ? '–' : name}</th>
      <td class="number">{parked ? '–' : dueText(dueAt, now)}</td>
      <td>
        <Time at={dueAt} />
      </td>
      <td>{kind}</td>
      <td>
        {kind === 'process' ? (
          <a href={linkToInstance(name, key)}>
            <code>{key}</code>
          </a>
        ) : (
          <code>{key}</code>
        )}
      </td>
      <td>
        <Badge tone={toneOf(state)}>{state}</Badge>
      </td>
      <td class="number">{attempts}</td>
      <td class="reason">{error}</td>
      <td class="row-actions">
        {parked ? (
          <a href={linkToStuck('timers')}>
            Repair<span class="sr"> {nameOf(timer)}</span>
          </a>
        ) : (
          <>
            <button type="button" class="plain" onClick={() => askToRun(timer)}>
              Run now<span class="sr"> {nameOf(timer)}</span>
            </button>
            <button type="button" class="plain danger-text" onClick={() => askToCancel(timer)}>
              Cancel<span class="sr"> {nameOf(timer)}</span>
            </button>
          </>
        )}
      </td>
    </tr>
  );
}

const nameOf = ({ kind, name, key }: ListedTimer): string =>
  [name === '' ? kind : name, shortKey(key)].filter(Boolean).join(' ');

const askToRun = (timer: ListedTimer): void =>
  ask({
    title: `Run ${nameOf(timer)} now?`,
    text: 'It fires once, now instead of at its time.',
    confirm: 'Run now',
    asksWhy: true,
    done: `${nameOf(timer)} fires now.`,
    act: (_, reason) => act(`timers/${timer.id}/run-now`, { reason }),
  });

const askToCancel = (timer: ListedTimer): void =>
  ask({
    title: `Cancel ${nameOf(timer)}?`,
    text: 'It will never fire, and anything that waits for it may wait forever.',
    confirm: 'Cancel the timer',
    dangerous: true,
    asksWhy: true,
    done: `${nameOf(timer)} is cancelled.`,
    act: (_, reason) => act(`timers/${timer.id}/cancel`, { reason }),
  });
