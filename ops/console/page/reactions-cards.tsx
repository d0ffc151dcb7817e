import type { ListedReaction } from '../../../runtime/reactions/reaction-lists.js';
import { count } from '../model/format.js';
import type { AsideKey } from '../model/processes.js';
import { act } from './api.js';
import { ask } from './dialog.js';
import { Badge, Card, Empty, Head, toneOf } from './components.js';
import { linkToInstance, linkToStream } from './navigation.js';
import { reactionsPage } from './processes-state.js';

/** How far reactions and processes have read the log. */
export function ReactionsCard() {
  const reactions = reactionsPage.value?.reactions ?? [];
  return (
    <Card title="Reactions" hint="reactions and processes, and how far they have read the log">
      {reactions.length === 0 ? (
        <Empty>Nothing in this service reacts to events.</Empty>
      ) : (
        <table>
          <Head columns={['Name', 'Kind', 'State', '#Position', '#Lag', '#Parked', '(Actions)']} />
          <tbody>
            {reactions.map((one) => (
              <Row key={`${one.kind} ${one.name}`} reaction={one} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

function Row({ reaction }: { readonly reaction: ListedReaction }) {
  const { kind, name, state, position, lag, parked } = reaction;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{kind}</td>
      <td title={whys[state]}>
        <Badge tone={toneOf(state)}>{state}</Badge>
      </td>
      <td class="number">{count(position)}</td>
      <td class={`number ${lag > 0 ? 'warn' : ''}`}>{count(lag)}</td>
      <td class={`number ${parked > 0 ? 'warn' : ''}`}>{count(parked)}</td>
      <td class="row-actions">
        <button type="button" class="plain" disabled={parked === 0} onClick={() => askToReleaseAll(reaction)}>
          Release<span class="sr"> all of {name}</span>
        </button>
      </td>
    </tr>
  );
}

const whys: Readonly<Record<string, string>> = {
  stopped: 'No host runs it.',
  orphan: 'It was renamed or removed: svc reactions adopt hands it over to its new name.',
};

/** Keys that failed: their events wait, all others go on. */
export function AsideKeysCard() {
  const page = reactionsPage.value;
  const keys = page?.keys ?? [];
  if (page === undefined || keys.length === 0) return null;
  const parked = page.reactions.reduce((sum, one) => sum + one.parked, 0);
  const hint =
    parked > keys.length
      ? `${count(keys.length)} of ${count(parked)}, each waits at the event named`
      : 'each waits at the event named, and all others go on';
  return (
    <Card title="Set-aside keys" hint={hint}>
      <table>
        <Head columns={['Key', 'Of', 'State', 'Event', '#Attempts', 'Error', '(Actions)']} />
        <tbody>
          {keys.map((one) => (
            <KeyRow key={`${one.kind} ${one.name} ${one.key}`} aside={one} />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function KeyRow({ aside }: { readonly aside: AsideKey }) {
  const { kind, name, key, state, position, event, attempts, error } = aside;
  return (
    <tr>
      <th scope="row">
        {kind === 'process' ? (
          <a href={linkToInstance(name, key)}>
            <code>{key}</code>
          </a>
        ) : (
          <code>{key}</code>
        )}
      </th>
      <td>
        {name}
        <span class="sr"> ({kind})</span>
      </td>
      <td>
        <Badge tone={toneOf(state)}>{state}</Badge>
      </td>
      <td>
        {event === undefined ? (
          `at ${position}`
        ) : (
          <a href={linkToStream(event.streamId, event.streamPosition)}>{event.eventType}</a>
        )}
      </td>
      <td class="number">{attempts}</td>
      <td class="reason">{error}</td>
      <td class="row-actions">
        <button
          type="button"
          class="plain"
          disabled={state !== 'parked'}
          title={state === 'parked' ? '' : 'It is tried again by itself.'}
          onClick={() => askToRelease(name, key)}
        >
          Release<span class="sr"> {key}</span>
        </button>
        <button type="button" class="plain" disabled={state !== 'parked'} onClick={() => askToSkip(aside)}>
          Skip<span class="sr"> {key}</span>
        </button>
      </td>
    </tr>
  );
}

const askToRelease = (name: string, key: string): void =>
  ask({
    title: `Release ${shortKey(key)} of ${name}?`,
    text: 'The event that it waits at is tried again at once, and then those behind it; if it fails as often as before, it is parked again.',
    confirm: 'Release',
    asksWhy: true,
    done: `${key} will be tried again.`,
    act: (_, reason) => act(`reactions/${encodeURIComponent(name)}/release`, { key, reason }),
  });

const askToSkip = ({ name, key, position, event }: AsideKey): void =>
  ask({
    title: `Skip ${event?.eventType ?? `event ${position}`} of ${shortKey(key)}?`,
    text: `${name} never handles this event; the events behind it are handled. This cannot be undone.`,
    confirm: 'Skip',
    dangerous: true,
    asksWhy: 'required',
    done: `One event of ${key} was given up.`,
    act: (_, reason) => act(`reactions/${encodeURIComponent(name)}/skip`, { key, position, reason }),
  });

const askToReleaseAll = ({ name, parked }: ListedReaction): void =>
  ask({
    title: `Release ${count(parked)} parked keys of ${name}?`,
    text: 'Each is tried again at once; what fails as often as before is parked again.',
    confirm: 'Release',
    asksWhy: true,
    done: `The parked keys of ${name} will be tried again.`,
    act: (_, reason) => act(`reactions/${encodeURIComponent(name)}/release`, { reason }),
  });

/** A key may be as long as a page. */
export const shortKey = (key: string): string => (key.length > 60 ? `${key.slice(0, 59)}…` : key);
