import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { DeadLetterItem } from '../model/outbox.js';
import { count, wholeSeconds } from '../model/format.js';
import { read, reasonOf } from './parts/api.js';
import { outbox } from './parts/live-state.js';
import { Badge, Card, Empty, Head, Stat, Time, toneOf } from './parts/components.js';
import { linkTo, linkToStuck, openItem } from './parts/navigation.js';

const letters = signal<readonly DeadLetterItem[] | undefined>(undefined);
const failure = signal('');
const shown = signal<(DeadLetterItem & { readonly message: unknown }) | undefined>(undefined);

export function OutboxPanel() {
  const figures = outbox.value;
  useEffect(() => void load(), [figures?.dead, figures?.counts['published']]);
  useEffect(() => void show(openItem.value), [openItem.value]);
  return (
    <div class="column single">
      <Card title="Outbox" hint="messages of the log that the relay publishes">
        {figures === undefined ? (
          <Empty>Loading …</Empty>
        ) : (
          <dl class="stats row">
            <Stat name="waiting" value={`${count(figures.pending)}${figures.more ? '+' : ''}`} />
            <Stat
              name="oldest"
              value={figures.pending === 0 ? '–' : wholeSeconds(figures.oldestAgeMs ?? 0)}
              tone={(figures.oldestAgeMs ?? 0) > 10_000 ? 'bad' : ''}
            />
            <Stat name="relay" value={figures.relay} tone={toneOf(figures.relay)} />
            {Object.entries(figures.counts).map(([name, value]) => (
              <Stat key={name} name={wordsOf(name)} value={count(value)} />
            ))}
          </dl>
        )}
      </Card>
      <Card title="Dead letters" hint="messages that could not be published or received">
        <Letters />
      </Card>
      {shown.value !== undefined && (
        <Card title={`Dead letter ${shown.value.id}`} hint={shown.value.messageType}>
          <p class="failure">{shown.value.lastError}</p>
          <pre tabIndex={0}>{JSON.stringify(shown.value.message, null, 2)}</pre>
        </Card>
      )}
    </div>
  );
}

const wordsOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

async function load(): Promise<void> {
  try {
    letters.value = await read<DeadLetterItem[]>('dead-letters');
    failure.value = '';
  } catch (error) {
    failure.value = reasonOf(error);
  }
}

async function show(id: string): Promise<void> {
  shown.value = undefined;
  if (id === '') return;
  try {
    shown.value = await read(`dead-letters/${encodeURIComponent(id)}`);
  } catch (error) {
    failure.value = reasonOf(error);
  }
}

function Letters() {
  if (failure.value !== '') return <Empty>{failure.value}</Empty>;
  const list = letters.value;
  if (list === undefined) return <Empty>Loading …</Empty>;
  if (list.length === 0) return <Empty>No dead letters.</Empty>;
  return (
    <table>
      <Head
        columns={[
          '#Id',
          'Direction',
          'Message',
          'Destination',
          'Error',
          '#Attempts',
          '#Since',
          'State',
          '(Actions)',
        ]}
      />
      <tbody>
        {list.map((letter) => (
          <Row key={letter.id} letter={letter} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ letter }: { readonly letter: DeadLetterItem }) {
  const { id, source, messageType, destination, lastError, attempts, deadAt, state } = letter;
  return (
    <tr>
      <td class="number">
        <a href={linkTo('outbox', String(id))}>{id}</a>
      </td>
      <td>{source === 'inbox' ? 'received' : 'to publish'}</td>
      <td>{messageType}</td>
      <td>
        <code>{destination}</code>
      </td>
      <td class="about">{lastError}</td>
      <td class="number">{attempts}</td>
      <td class="number">
        <Time at={deadAt} />
      </td>
      <td>
        <Badge tone={toneOf(state)}>{state}</Badge>
      </td>
      <td class="row-actions">
        <a href={linkToStuck(source)}>
          Repair<span class="sr"> {id}</span>
        </a>
      </td>
    </tr>
  );
}
