import { signal } from '@preact/signals';
import { isUuid } from '../../../../contracts/scalars.js';
import type { Repair } from '../../../../runtime/stuck/repair-plan.js';
import type { StuckCause } from '../../../../runtime/stuck/stuck-entries.js';
import { count, shortKey } from '../../model/format.js';
import type { PlannedRepair, RepairedPlan, StuckItem, StuckPage } from '../../model/stuck.js';
import { act, read, reasonOf } from '../parts/api.js';
import { Badge, Card, Empty, Head, Time, toneOf } from '../parts/components.js';
import { ask } from '../parts/dialog.js';
import { chosenHost, filters, isOffered, linkTo, linkToInstance, linkToStream } from '../parts/navigation.js';

import { useRepeatedly } from '../parts/repeated-read.js';

const page = signal<StuckPage | undefined>(undefined);
const failure = signal('');
/** What the last repair of a cause has left. */
const left = signal<readonly string[]>([]);

/** Work that waits for an operator or is retried, by cause, and the entries of one cause. */
export function StuckPanel() {
  const { follower, fingerprint } = filters.value;
  useRepeatedly(
    async (stopped) => {
      try {
        page.value = await read<StuckPage>('stuck', { follower, fingerprint }, stopped);
        failure.value = '';
      } catch (error) {
        if (!stopped.aborted) failure.value = reasonOf(error);
      }
    },
    [chosenHost.value, follower, fingerprint],
  );
  const { causes = [], entries = [] } = page.value ?? {};
  return (
    <div class="column single">
      {failure.value !== '' && <Empty>{failure.value}</Empty>}
      <Card title="Stuck" hint="waiting for you or being retried, by cause">
        {causes.length === 0 ? (
          <Empty>{withoutCauses()}</Empty>
        ) : (
          <table>
            <Head columns={['Cause', 'Of', 'State', '#Entries', '#Since', '(Actions)']} />
            <tbody>
              {causes.map((one) => (
                <CauseRow key={`${one.follower} ${one.state} ${one.fingerprint}`} cause={one} />
              ))}
            </tbody>
          </table>
        )}
      </Card>
      {left.value.length > 0 && <LeftCard ids={left.value} />}
      {entries.length > 0 && <EntriesCard of={follower ?? 'all'} entries={entries} />}
    </div>
  );
}

function withoutCauses(): string {
  if (page.value !== undefined) return 'Nothing is stuck. Reactions shows how far each has read the log.';
  return failure.value === '' ? 'Loading …' : 'It could not be read.';
}

const EntriesCard = ({ of, entries }: { readonly of: string; readonly entries: readonly StuckItem[] }) => (
  <Card title="Entries" hint={`of ${of}, oldest first`}>
    <table>
      <Head columns={['Key', 'Event', 'State', '#Attempts', '#Since', 'Error', '(Actions)']} />
      <tbody>
        {entries.map((one) => (
          <EntryRow key={one.id} entry={one} />
        ))}
      </tbody>
    </table>
  </Card>
);

const mostNamed = 20;

function LeftCard({ ids }: { readonly ids: readonly string[] }) {
  const more = ids.length - mostNamed;
  return (
    <Card title="Left" hint={`${count(ids.length)} that have changed since they were counted`}>
      <ul>
        {ids.slice(0, mostNamed).map((id) => (
          <li key={id}>
            <code>{id}</code>
          </li>
        ))}
        {more > 0 && <li>and {count(more)} more</li>}
      </ul>
    </Card>
  );
}

function CauseRow({ cause }: { readonly cause: StuckCause }) {
  const { follower, fingerprint, error, state, count: entries, oldest } = cause;
  const filter = { follower, fingerprint: fingerprint ?? '' };
  return (
    <tr>
      <th scope="row" class="reason">
        <a href={linkTo('stuck', '', chosenHost.value, filter)}>{error ?? 'without an error'}</a>
      </th>
      <td>{follower}</td>
      <td>
        <Badge tone={toneOf(state)}>{state}</Badge>
      </td>
      <td class="number">{count(entries)}</td>
      <td class="number">
        <Time at={oldest} />
      </td>
      <Actions
        what={`all of ${follower}`}
        refused={state !== 'parked' || fingerprint === null ? { retry: byItself, skip: byItself } : {}}
        repair={(action) => void askAboutAll(action, filter)}
      />
    </tr>
  );
}

function EntryRow({ entry }: { readonly entry: StuckItem }) {
  const { key, position, event, state, attempts, error, refused } = entry;
  const address = addressOf(entry);
  return (
    <tr>
      <th scope="row">
        <code>{address === undefined ? shortKey(key) : <a href={address}>{shortKey(key)}</a>}</code>
      </th>
      <td>
        {event === undefined ? (
          (position ?? '–')
        ) : (
          <a href={linkToStream(event.streamId, event.streamPosition)}>{event.eventType}</a>
        )}
      </td>
      <td>
        <Badge tone={toneOf(state)}>{state}</Badge>
      </td>
      <td class="number">{attempts}</td>
      <td class="number">
        <Time at={entry.since} />
      </td>
      <td class="reason">{error}</td>
      <Actions
        what={key}
        refused={refused}
        repair={(action) => askToRepair(action, shortKey(key), { id: entry.id })}
      />
    </tr>
  );
}

/** The key of a row or of a reaction is mostly the id of a stream. */
function addressOf({ kind, follower, key, event }: StuckItem): string | undefined {
  if (kind === 'process') return linkToInstance(follower.slice('process/'.length), key);
  if (!isUuid(key) || !isOffered('stream')) return undefined;
  return linkToStream(key, event?.streamId === key ? event.streamPosition : '');
}

const byItself = 'It is retried automatically.';

const words: Readonly<Record<Repair, string>> = { retry: 'Retry', skip: 'Skip' };

const Actions = ({
  what,
  refused,
  repair,
}: {
  readonly what: string;
  readonly refused: StuckItem['refused'];
  readonly repair: (action: Repair) => void;
}) => (
  <td class="row-actions">
    {(['retry', 'skip'] as const).map((action) => (
      <button
        key={action}
        type="button"
        class="plain"
        disabled={refused[action] !== undefined}
        title={refused[action] ?? ''}
        onClick={() => repair(action)}
      >
        {words[action]}
        <span class="sr"> {what}</span>
      </button>
    ))}
  </td>
);

const texts: Readonly<Record<Repair, string>> = {
  retry: 'It is retried at once; if it fails as often as before, it is parked again.',
  skip: 'The event, message or timer is given up, and what is behind it is handled. This cannot be undone.',
};

function askToRepair(
  action: Repair,
  what: string,
  body: { readonly id: string } | { readonly plan: string },
): void {
  ask({
    title: `${words[action]} ${what}?`,
    text: texts[action],
    confirm: words[action],
    dangerous: action === 'skip',
    asksWhy: 'required',
    act: async (_, reason) => {
      left.value = (await act<RepairedPlan>(`stuck/${action}`, { ...body, reason })).left;
    },
  });
}

async function askAboutAll(
  action: Repair,
  filter: { readonly follower: string; readonly fingerprint: string },
): Promise<void> {
  try {
    const planned = await act<PlannedRepair>('stuck/plan', { action, ...filter });
    const [refused] = planned.refused;
    if (planned.count > 0)
      askToRepair(action, `${count(planned.count)} of ${filter.follower}`, { plan: planned.plan });
    else
      failure.value =
        refused === undefined ? 'They are no longer stuck.' : `They were left alone: ${refused.why}.`;
  } catch (error) {
    failure.value = reasonOf(error);
  }
}
