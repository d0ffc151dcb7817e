import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FlagItem } from '../model/flags.js';
import { act, read, reasonOf } from './parts/api.js';
import { Badge, Card, Empty, Head } from './parts/components.js';
import { ask } from './parts/dialog.js';
import { records } from './parts/live-state.js';
import { chosenHost } from './parts/navigation.js';

const flags = signal<readonly FlagItem[] | undefined>(undefined);
const failure = signal('');

export function FlagsPanel() {
  const lastChange = records.value.find(({ eventType }) => eventType === 'FlagChanged')?.position;
  useEffect(() => void load(), [lastChange, chosenHost.value]);
  return (
    <div class="column single">
      <Card title="Flags" hint="features that are on or off while the service runs">
        <List />
      </Card>
    </div>
  );
}

async function load(): Promise<void> {
  try {
    flags.value = await read<FlagItem[]>('flags');
    failure.value = '';
  } catch (error) {
    failure.value = reasonOf(error);
  }
}

function List() {
  if (failure.value !== '') return <Empty>{failure.value}</Empty>;
  const list = flags.value;
  if (list === undefined) return <Empty>Loading …</Empty>;
  if (list.length === 0) return <Empty>This service uses no flags.</Empty>;
  return (
    <table>
      <Head columns={['Flag', 'State', 'For whom', 'Changed by', 'At', 'Reason', '(Actions)']} />
      <tbody>
        {list.map((flag) => (
          <Row key={flag.name} flag={flag} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ flag }: { readonly flag: FlagItem }) {
  const { name, changed, declared, words } = flag;
  const state = stateOf(flag);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td title={declared ? undefined : 'No host has declared it.'}>
        <Badge tone={state === 'off' ? 'quiet' : 'good'}>{state}</Badge>
      </td>
      <td class="about">{state === 'partly on' ? words : 'everyone'}</td>
      <td>{changed?.by ?? '–'}</td>
      <td>{changed === undefined ? '–' : new Date(changed.at).toLocaleString()}</td>
      <td class="about">{changed?.reason}</td>
      <td class="row-actions">
        <button type="button" class="plain" disabled={state === 'on'} onClick={() => askToTurn(name, 'on')}>
          Turn on<span class="sr"> {name}</span>
        </button>
        <button type="button" class="plain" disabled={state === 'off'} onClick={() => askToTurn(name, 'off')}>
          Turn off<span class="sr"> {name}</span>
        </button>
      </td>
    </tr>
  );
}

function stateOf({ on, percent, tenants, users }: FlagItem): 'on' | 'off' | 'partly on' {
  const isSimple = percent === undefined && Object.keys(tenants).length + Object.keys(users).length === 0;
  return isSimple ? (on ? 'on' : 'off') : 'partly on';
}

const askToTurn = (name: string, to: 'on' | 'off'): void =>
  ask({
    title: `Turn ${name} ${to}?`,
    text: `It will be ${to} for everyone, on every host, within two seconds. Rules for tenants, users and percentages are removed. Who did it, and why, is recorded.`,
    confirm: `Turn ${to}`,
    field: { label: 'Reason', required: true },
    act: (reason) => act(`flags/${encodeURIComponent(name)}`, { on: to === 'on', reason }).then(load),
  });
