import { rebuildPercent, rebuildPhase } from '../../../service/rebuild-phase.js';
import { type PerspectiveFigures, rebuildModes } from '../../model/perspectives.js';
import { count, wholeSeconds } from '../../model/format.js';
import { act } from '../parts/api.js';
import { ask } from '../parts/dialog.js';
import { hostInfo, now, perspectives } from '../parts/live-state.js';
import { Badge, Card, Empty, Head, Progress, toneOf } from '../parts/components.js';
import { chosenHost, linkTo, linkToStuck, openItem } from '../parts/navigation.js';
import { RowsCard } from './rows-card.js';
import { RecentRate } from '../../../terminal/progress-rate.js';

export function PerspectivesPanel() {
  const list = perspectives.value;
  return (
    <div class="column single">
      <Card title="Perspectives" hint="read models and their lag">
        {list === undefined || list.length === 0 ? (
          <Empty>{hostInfo.value === undefined ? 'Loading …' : 'This service has no perspectives.'}</Empty>
        ) : (
          <table>
            <Head
              columns={[
                'Perspective',
                'State',
                '#Position',
                '#Lag',
                '#Behind',
                'Folded',
                '#Parked',
                '(Actions)',
              ]}
            />
            <tbody>
              {list.map((one) => (
                <Row key={one.name} perspective={one} />
              ))}
            </tbody>
          </table>
        )}
      </Card>
      {openItem.value !== '' && <RowsCard name={openItem.value} />}
    </div>
  );
}

/** Rows that wait for a repair are not up to date, whatever the others are. */
const stateOf = ({ state, parked = 0 }: PerspectiveFigures): string =>
  state === 'live' && parked > 0 ? 'parked' : state;

function Row({ perspective }: { readonly perspective: PerspectiveFigures }) {
  const { name, position, lag, behindSeconds = 0, parked = 0, rebuild } = perspective;
  const why = perspective.error ?? perspective.notServed;
  const state = stateOf(perspective);
  const { done, total } = rebuild ?? { done: position, total: position + lag };
  const phase = rebuild && rebuildPhase(rebuild);
  const share =
    rebuild === undefined ? Math.floor((100 * done) / Math.max(1, total)) : rebuildPercent(rebuild);
  return (
    <tr>
      <th scope="row">
        <a href={linkTo('perspectives', name, chosenHost.value, {})}>{name}</a>
      </th>
      <td>
        <Badge tone={toneOf(state)}>{state}</Badge>
        {why !== undefined && <p class="reason">{why}</p>}
      </td>
      <td class="number">{count(position)}</td>
      <td class={`number ${lag > 0 ? 'warn' : ''}`}>{count(lag)}</td>
      <td class="number">{lag === 0 ? '–' : wholeSeconds(behindSeconds * 1000)}</td>
      <td>
        <Progress done={done} total={total} label={`${name}: ${count(done)} of ${count(total)}`} />
        <span class="share">{`${share} %`}</span>
        {phase !== undefined && <span class="share">{phase}</span>}
        {phase === undefined && done < total && <FoldingRate name={name} done={done} total={total} />}
      </td>
      <td class={`number ${parked > 0 ? 'warn' : ''}`}>
        {parked === 0 ? 0 : <a href={linkToStuck(`perspective/${name}`)}>{count(parked)}</a>}
      </td>
      <td class="row-actions">
        {hostInfo.value?.rebuilds === true && rebuild !== undefined && (
          <button type="button" class="plain danger-text" onClick={() => askToCancel(name)}>
            Cancel<span class="sr"> the rebuild of {name}</span>
          </button>
        )}
        {hostInfo.value?.rebuilds === true && rebuild === undefined && (
          <button type="button" class="plain" onClick={() => askToRebuild(name)}>
            Rebuild<span class="sr"> {name}</span>
          </button>
        )}
      </td>
    </tr>
  );
}

const askToRebuild = (name: string): void =>
  ask({
    title: `Rebuild ${name}?`,
    text: 'All its events will be folded again. BlueGreen keeps the old rows readable until the new ones are complete; InPlace empties the table first.',
    confirm: 'Rebuild',
    field: { label: 'Mode', options: rebuildModes },
    asksWhy: true,
    done: `The rebuild of ${name} has started.`,
    act: (mode, reason) => act(`perspectives/${encodeURIComponent(name)}/rebuild`, { mode, reason }),
  });

const askToCancel = (name: string): void =>
  ask({
    title: `Cancel the rebuild of ${name}?`,
    text: 'A BlueGreen rebuild leaves the rows that readers have. An InPlace rebuild has emptied the table, which stays incomplete until the next rebuild.',
    confirm: 'Cancel the rebuild',
    dangerous: true,
    asksWhy: true,
    done: `The rebuild of ${name} will be cancelled.`,
    act: (_, reason) => act(`perspectives/${encodeURIComponent(name)}/cancel`, { reason }),
  });

interface Progress {
  readonly name: string;
  readonly done: number;
  readonly total: number;
}

const rates = new Map<string, RecentRate>();

/** How fast a perspective is rebuilt or catches up, and how long it will take. */
function FoldingRate({ name, done, total }: Progress) {
  const rate = rates.get(name) ?? new RecentRate();
  rates.set(name, rate);
  return <span class="share">{rate.text(done, total, now.value)}</span>;
}
