import { explanationOf } from '../model/check-explanations.js';
import type { HealthItem } from '../model/health.js';
import { ago, duration } from '../model/format.js';
import { health, now } from './parts/live-state.js';
import { Badge, Card, Dot, Empty, toneOf } from './parts/components.js';

export function HealthPanel() {
  const board = health.value;
  if (board === undefined)
    return (
      <div class="column single">
        <Empty>This host has no health checks.</Empty>
      </div>
    );
  return (
    <div class="column single">
      <Card title="Health" hint={<Badge tone={toneOf(board.status)}>{board.status}</Badge>}>
        <ul class="checks">
          {board.checks.map((check) => (
            <Check key={`${check.host ?? ''} ${check.name}`} check={check} />
          ))}
        </ul>
      </Card>
    </div>
  );
}

function Check({ check }: { readonly check: HealthItem }) {
  const { name, host, status, tags, detail, latencyMs, since } = check;
  return (
    <li class={`check ${toneOf(status)}`}>
      <h3>
        <Dot tone={toneOf(status)} /> {name}
      </h3>
      {explanationOf(name) !== undefined && <p class="asks">{explanationOf(name)}</p>}
      <p class="status">
        {status}
        {since !== undefined && <span class="since"> for {ago(since, now.value)}</span>}
      </p>
      <p class="detail">{detail ?? ''}</p>
      <p class="foot">
        <span>{[...(host === undefined ? [] : [host]), ...tags].join(' · ')}</span>
        <span>{latencyMs === undefined ? '' : duration(latencyMs)}</span>
      </p>
    </li>
  );
}
