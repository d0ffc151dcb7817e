import { ago } from '../model/format.js';
import { connection, isStale, now, state } from './parts/live-state.js';
import { isOffered, linkTo } from './parts/navigation.js';

const connections = { connecting: 'connecting', live: 'live', lost: 'reconnecting' } as const;

/** A count that changes is not announced: only that the state has changed. */
const announcements = {
  good: 'The state is good.',
  warn: 'Something needs attention.',
  bad: 'Something has failed.',
  lost: 'The page is no longer current.',
  quiet: '',
} as const;

/** One sentence about the whole, as wide as the page. */
export function StateBar() {
  const { level, text, since, panel, also = [] } = state.value;
  return (
    <section class={`state-bar ${level}`} data-level={level} aria-label="State">
      <p>{text}</p>
      <span class="sr" role="status">
        {announcements[level]}
      </span>
      {since !== undefined && <span class="since">for {ago(since, now.value)}</span>}
      {isOffered(panel) && (level === 'warn' || level === 'bad') && (
        <a class="more-about" href={linkTo(panel)}>
          Show<span class="sr"> the panel about it</span>
        </a>
      )}
      {also.length > 0 && <Also list={also} />}
      <span class="connection">{isStale.value ? connections.lost : connections[connection.value]}</span>
    </section>
  );
}

const Also = ({ list }: { readonly list: readonly string[] }) => (
  <details class="also">
    <summary>{`and ${list.length} more`}</summary>
    <ul>
      {list.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  </details>
);
