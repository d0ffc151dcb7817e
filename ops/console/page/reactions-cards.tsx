import type { ListedReaction } from '../../../runtime/reactions/reaction-lists.js';
import { count } from '../model/format.js';
import { reactionFollowers } from '../model/reaction-followers.js';
import { Badge, Card, Empty, Head, toneOf } from './components.js';
import { actors } from './live-state.js';
import { linkToStuck } from './navigation.js';
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
  const failed = reactionFollowers(actors.value ?? []).find(
    (one) => one.name === name && one.error !== undefined,
  );
  const why = failed?.error;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{kind}</td>
      <td title={whys[state]}>
        <Badge tone={toneOf(state)}>{state}</Badge>
        {why !== undefined && <p class="reason">{why}</p>}
      </td>
      <td class="number">{count(position)}</td>
      <td class={`number ${lag > 0 ? 'warn' : ''}`}>{count(lag)}</td>
      <td class={`number ${parked > 0 ? 'warn' : ''}`}>
        {parked === 0 ? 0 : <a href={linkToStuck(`${kind}/${name}`)}>{count(parked)}</a>}
      </td>
    </tr>
  );
}

const whys: Readonly<Record<string, string>> = {
  stopped: 'No host runs it.',
  orphan: 'It was renamed or removed: svc reactions adopt hands it over to its new name.',
};

/** A key may be as long as a page. */
export const shortKey = (key: string): string => (key.length > 60 ? `${key.slice(0, 59)}…` : key);
