import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { clock, count } from '../model/format.js';
import type { PerspectivesPart } from '../model/perspectives.js';
import { act, read, reasonOf } from './api.js';
import { Card, Empty, Head } from './components.js';
import { ask } from './dialog.js';
import { perspectives } from './live-state.js';
import { navigate } from './navigation.js';

type ParkedRow = NonNullable<Awaited<ReturnType<PerspectivesPart['parked']>>>[number];

const rows = signal<readonly ParkedRow[] | undefined>(undefined);
const failure = signal('');

/** Which rows of a perspective are parked, at which event, and why. */
export function ParkedCard({ name }: { readonly name: string }) {
  const parked = perspectives.value?.find((one) => one.name === name)?.parked;
  useEffect(() => void load(name), [name, parked]);
  const close = (
    <button type="button" class="link" onClick={() => navigate('perspectives')}>
      Close
    </button>
  );
  const list = rows.value;
  return (
    <Card title={`Parked rows of ${name}`} hint="each misses its events since the one named" actions={close}>
      {failure.value !== '' ? (
        <Empty>{failure.value}</Empty>
      ) : list === undefined ? (
        <Empty>Loading …</Empty>
      ) : list.length === 0 ? (
        <Empty>No rows are parked.</Empty>
      ) : (
        <table>
          <Head columns={['Row', 'Event', '#Position', 'Reason', '#Attempts', '#Since', '(Actions)']} />
          <tbody>
            {list.map((row) => (
              <Row key={row.key} name={name} row={row} />
            ))}
          </tbody>
        </table>
      )}
      {list !== undefined && list.length < (parked ?? 0) && (
        <p class="hint">{`The oldest ${count(list.length)} of ${count(parked ?? 0)}.`}</p>
      )}
    </Card>
  );
}

function Row({ name, row }: { readonly name: string; readonly row: ParkedRow }) {
  const { key, position, eventType, error, attempts, since, released } = row;
  return (
    <tr>
      <th scope="row">
        <code>{key}</code>
      </th>
      <td>{eventType}</td>
      <td class="number">{position}</td>
      <td class="reason">{error}</td>
      <td class="number">{attempts}</td>
      <td class="number">{clock(since)}</td>
      <td class="row-actions">
        <button type="button" class="plain" disabled={released} onClick={() => askToRelease(name, key)}>
          {released ? 'Released' : 'Release'}
          <span class="sr"> {key}</span>
        </button>
      </td>
    </tr>
  );
}

async function load(name: string): Promise<void> {
  try {
    rows.value = await read(`perspectives/${encodeURIComponent(name)}/parked`);
    failure.value = '';
  } catch (error) {
    failure.value = reasonOf(error);
  }
}

const askToRelease = (name: string, key: string): void =>
  ask({
    title: `Release the row ${key} of ${name}?`,
    text: 'It will be folded again from its last snapshot; if that fails, it is parked again.',
    confirm: 'Release',
    asksWhy: true,
    done: `The row ${key} will be folded again.`,
    act: (_, reason) =>
      act(`perspectives/${encodeURIComponent(name)}/release`, { key, reason }).then(() => load(name)),
  });
