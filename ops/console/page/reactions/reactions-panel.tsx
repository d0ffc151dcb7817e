import { signal } from '@preact/signals';
import type { ListedReaction } from '../../../../runtime/reactions/reaction-lists.js';
import { count } from '../../model/format.js';
import type { ReactionsPage } from '../../model/processes.js';
import { reactionFollowers } from '../../model/reaction-followers.js';
import { read, reasonOf } from '../parts/api.js';
import { Badge, Card, Empty, Head, toneOf } from '../parts/components.js';
import { actors } from '../parts/live-state.js';
import { chosenHost, linkTo, linkToStuck } from '../parts/navigation.js';
import { useRepeatedly } from '../parts/repeated-read.js';

const page = signal<ReactionsPage | undefined>(undefined);
const failure = signal('');

/** How far reactions and processes have read the log. */
export function ReactionsPanel() {
  useRepeatedly(
    async (stopped) => {
      try {
        page.value = await read<ReactionsPage>('reactions', {}, stopped);
        failure.value = '';
      } catch (error) {
        if (!stopped.aborted) failure.value = reasonOf(error);
      }
    },
    [chosenHost.value],
  );
  const reactions = page.value?.reactions;
  return (
    <div class="column single">
      {failure.value !== '' && <Empty>{failure.value}</Empty>}
      <Card title="Reactions" hint="reactions and processes, and how far they have read the log">
        {reactions === undefined || reactions.length === 0 ? (
          <Empty>{reactions === undefined ? 'Loading …' : 'Nothing in this service reacts to events.'}</Empty>
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
    </div>
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
      <th scope="row">
        {kind === 'process' ? <a href={linkTo('processes', name, chosenHost.value, {})}>{name}</a> : name}
      </th>
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
