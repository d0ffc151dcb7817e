import type { ListedReaction } from '../../../runtime/reactions/reaction-lists.js';
import { count } from '../model/format.js';
import type { AsideKey } from '../model/processes.js';
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
          <Head columns={['Name', 'Kind', 'State', '#Position', '#Lag', '#Parked']} />
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
      <td title={state === 'stopped' ? 'No host runs it.' : ''}>
        <Badge tone={toneOf(state)}>{state}</Badge>
      </td>
      <td class="number">{count(position)}</td>
      <td class={`number ${lag > 0 ? 'warn' : ''}`}>{count(lag)}</td>
      <td class={`number ${parked > 0 ? 'warn' : ''}`}>{count(parked)}</td>
    </tr>
  );
}

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
        <Head columns={['Key', 'Of', 'State', 'Event', '#Attempts', 'Error']} />
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
    </tr>
  );
}
