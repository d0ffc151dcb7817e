import type { ListedInstance } from '../../../../runtime/reactions/process-views.js';
import { ago, clock, count, duration } from '../../model/format.js';
import type { ProcessesPage, ProcessFigures } from '../../model/processes.js';
import { Badge, Card, Empty, Head, toneOf } from '../parts/components.js';
import { listed, mostListed } from './processes-state.js';
import { filters, linkToInstance, setFilters } from '../parts/navigation.js';

/** The instances of a process, last changed first. */
export function InstancesCard({
  figures,
  page,
}: {
  readonly figures: ProcessFigures;
  readonly page: ProcessesPage;
}) {
  const list = page.instances.filter(({ name }) => name === figures.name);
  const isFiltered = Object.keys(filters.value).length > 0;
  const all = figures.states.reduce((sum, one) => sum + one.count, 0);
  const more = !isFiltered && list.length < all ? `the newest ${count(list.length)} of ${count(all)}` : '';
  return (
    <Card title="Instances" hint={more === '' ? 'last changed first' : more}>
      <Choices figures={figures} />
      {list.length === 0 ? (
        <Empty>{isFiltered ? 'No instances match.' : 'No instances yet.'}</Empty>
      ) : (
        <table>
          <Head columns={['Key', 'State', 'Status', '#Since', '#Next timer', 'Error']} />
          <tbody>
            {list.map((one) => (
              <Row key={one.key} instance={one} now={Date.parse(page.now)} />
            ))}
          </tbody>
        </table>
      )}
      {list.length >= listed.value && listed.value < mostListed && (
        <button type="button" class="plain more" onClick={() => (listed.value = mostListed)}>
          Show up to {count(mostListed)}
        </button>
      )}
    </Card>
  );
}

/** States and statuses to filter by, each with its number. */
function Choices({ figures: { states } }: { readonly figures: ProcessFigures }) {
  const sums = (by: 'state' | 'status'): readonly (readonly [string, number])[] => {
    const all = new Map<string, number>();
    for (const one of states) all.set(one[by], (all.get(one[by]) ?? 0) + one.count);
    return [...all].filter(([name]) => name !== '');
  };
  return (
    <div class="facets" role="group" aria-label="Filter instances">
      <input
        type="search"
        placeholder="Key begins with"
        aria-label="Search instances by key"
        autocomplete="off"
        maxLength={200}
        value={filters.value['key'] ?? ''}
        onInput={(event) => setFilters({ ...filters.value, key: event.currentTarget.value })}
      />
      {(['status', 'state'] as const).flatMap((by) =>
        sums(by).map(([value, counted]) => (
          <button
            key={`${by} ${value}`}
            type="button"
            class="chip"
            title={`${by} ${value}`}
            aria-pressed={filters.value[by] === value}
            onClick={() => setFilters({ ...filters.value, [by]: filters.value[by] === value ? '' : value })}
          >
            <span class="sr">{by} </span>
            {value.length > 40 ? `${value.slice(0, 39)}…` : value} <b>{count(counted)}</b>
          </button>
        )),
      )}
    </div>
  );
}

function Row({ instance, now }: { readonly instance: ListedInstance; readonly now: number }) {
  const { name, key, state, status, updatedAt, nextTimer, error } = instance;
  return (
    <tr>
      <th scope="row">
        <a href={linkToInstance(name, key)}>
          <code>{key}</code>
        </a>
      </th>
      <td>{state === '' ? 'not started' : state}</td>
      <td>
        <Badge tone={toneOf(status)}>{status}</Badge>
      </td>
      <td class="number" title={clock(updatedAt, 'dated')}>
        {ago(updatedAt, now)}
      </td>
      <td class="number" title={nextTimer === null ? '' : clock(nextTimer, 'dated')}>
        {nextTimer === null ? '–' : dueText(nextTimer, now)}
      </td>
      <td class="reason">{error}</td>
    </tr>
  );
}

/** By the clock of the database. */
export function dueText(due: string, now: number): string {
  const ms = Date.parse(due) - now;
  return ms >= 0 ? `in ${duration(ms)}` : `${duration(-ms)} late`;
}
