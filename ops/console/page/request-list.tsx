import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { RequestItem } from '../model/requests.js';
import { duration, shortId } from '../model/format.js';
import { read } from './api.js';
import { requests } from './live-state.js';
import { Dot, Empty } from './components.js';
import { linkTo, navigate, openItem } from './navigation.js';

const text = signal('');
/** The results of a search; undefined while there is none. */
const found = signal<readonly RequestItem[] | undefined>(undefined);
/** The list at the time it was paused. */
const frozen = signal<readonly RequestItem[] | undefined>(undefined);

const tones = { completed: 'good', recovered: 'warn', failed: 'bad', cancelled: 'quiet' } as const;

const shown = () => found.value ?? frozen.value ?? requests.value;

/** The latest requests, each with a bar of its stages. */
export function RequestList() {
  useSearch();
  const list = shown();
  const longest = Math.max(1, ...list.map(({ ms }) => ms));
  return (
    <aside class="requests" aria-label="Requests">
      <div class="bar">
        <input
          type="search"
          id="search"
          placeholder="Id, command, outcome, error"
          aria-label="Search requests"
          aria-keyshortcuts="/"
          autocomplete="off"
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
        <button
          type="button"
          class="plain icon"
          aria-pressed={frozen.value !== undefined}
          aria-label="Pause the list"
          title="Pause the list"
          onClick={togglePause}
        >
          {frozen.value === undefined ? <PauseIcon /> : <ResumeIcon />}
        </button>
      </div>
      {list.length === 0 && (
        <Empty>{found.value === undefined ? 'No requests have completed yet.' : 'No requests match.'}</Empty>
      )}
      <ul onKeyDown={step}>
        {list.map((request) => (
          <Row key={request.id} request={request} longest={longest} />
        ))}
      </ul>
    </aside>
  );
}

const PauseIcon = () => (
  <svg viewBox="0 0 12 12" aria-hidden="true">
    <path d="M3 2v8M9 2v8" />
  </svg>
);

const ResumeIcon = () => (
  <svg viewBox="0 0 12 12" aria-hidden="true">
    <path class="solid" d="M3 2l7 4-7 4z" />
  </svg>
);

function Row({ request, longest }: { readonly request: RequestItem; readonly longest: number }) {
  const { id, host, command, correlationId, ms, outcome, states, error } = request;
  return (
    <li>
      <a
        href={linkTo('lifecycle', id)}
        aria-current={openItem.value === id ? 'true' : undefined}
        data-outcome={outcome}
        title={`${outcome}${error === undefined ? '' : ` · ${error}`} · ${correlationId}`}
      >
        <Dot tone={tones[outcome]} />
        <span class="command">{command}</span>
        <span class="sr">{outcome}</span>
        <span class="id">
          {host} {shortId(correlationId)}
        </span>
        <span class="ms">{duration(ms)}</span>
        <svg class="stages" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          {barsOf(states, longest).map(({ state, x, width }) => (
            <rect key={state} class={`fill-${state}`} x={x} width={width} height="4" />
          ))}
        </svg>
      </a>
    </li>
  );
}

/** Bar lengths are square roots of the share of the longest request: otherwise one slow request hides all others. */
function barsOf(states: RequestItem['states'], longest: number) {
  const total = states.reduce((sum, [, ms]) => sum + ms, 0);
  const whole = 100 * Math.sqrt(Math.min(1, total / longest));
  let x = 0;
  return states.map(([state, ms]) => {
    const width = total === 0 ? 0 : (whole * ms) / total;
    const bar = { state, x, width: Math.max(0, width - 0.4) };
    x += width;
    return bar;
  });
}

function togglePause(): void {
  frozen.value = frozen.value === undefined ? requests.value : undefined;
}

function step(event: KeyboardEvent): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (by === 0) return;
  event.preventDefault();
  const links = [...(event.currentTarget as HTMLElement).querySelectorAll('a')];
  const next = links[Math.max(0, links.indexOf(document.activeElement as HTMLAnchorElement) + by)];
  next?.focus();
  const id = shown()[links.indexOf(next as HTMLAnchorElement)]?.id;
  if (id !== undefined) navigate('lifecycle', id);
}

const typedForMs = 150;

function useSearch(): void {
  const wanted = text.value.trim();
  const latest = requests.value;
  useEffect(() => {
    if (wanted === '') {
      found.value = undefined;
      return;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      read<RequestItem[]>('requests', { search: wanted }, stop.signal).then(
        (all) => (found.value = all),
        () => undefined,
      );
    }, typedForMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [wanted, latest]);
}
