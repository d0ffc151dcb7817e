import { ago } from '../model/format.js';
import { connection, isStale, now, state } from './live-state.js';
import { linkTo, offeredPanels } from './navigation.js';

const connections = { connecting: 'connecting', live: 'live', lost: 'reconnecting' } as const;

/** One sentence about the whole, as wide as the page. */
export function StateBar() {
  const { level, text, since, panel } = state.value;
  const hasPanel = offeredPanels.value.some(([name]) => name === panel);
  return (
    <div class={`state-bar ${level}`} data-level={level}>
      <p role="status">{text}</p>
      {since !== undefined && <span class="since">for {ago(since, now.value)}</span>}
      {hasPanel && (level === 'warn' || level === 'bad') && (
        <a class="more-about" href={linkTo(panel)}>
          Show<span class="sr"> the panel about it</span>
        </a>
      )}
      <span class="connection">{isStale.value ? connections.lost : connections[connection.value]}</span>
    </div>
  );
}
