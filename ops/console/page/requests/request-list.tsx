import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { auditFilters } from '../../model/audit-filters.js';
import type { RequestItem } from '../../model/requests.js';
import { count, duration, shortId } from '../../model/format.js';
import { allRequests } from '../../model/samples.js';
import { read } from '../parts/api.js';
import { figures, inFlight, isStale, requests } from '../parts/live-state.js';
import { Dot, Empty, Time } from '../parts/components.js';
import {
  chosenHost,
  filters,
  isOffered,
  linkTo,
  navigate,
  openItem,
  setFilters,
} from '../parts/navigation.js';

/** The results of a search; undefined while there is none. */
const found = signal<readonly RequestItem[] | undefined>(undefined);
/** The list at the time it was paused. */
const frozen = signal<readonly RequestItem[] | undefined>(undefined);

const tones = {
  completed: 'good',
  recovered: 'warn',
  failed: 'bad',
  rejected: 'bad',
  cancelled: 'quiet',
  replayed: 'quiet',
  running: 'info',
} as const;

const maxFound = 200;

/** What runs for long comes first: it may never end. */
const shown = () =>
  found.value ?? frozen.value ?? (isStale.value ? requests.value : [...inFlight.value, ...requests.value]);

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
          placeholder="Id, command, error or 4xx"
          aria-label="Search requests"
          title={searchHelp}
          aria-keyshortcuts="/"
          autocomplete="off"
          value={filters.value['q'] ?? ''}
          maxLength={200}
          onInput={(event) => setFilters({ q: event.currentTarget.value })}
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
        <Empty>
          {found.value === undefined ? 'No requests have completed yet.' : 'No requests match.'}
          <InAudit search={filters.value['q'] ?? ''} />
        </Empty>
      )}
      <ul onKeyDown={step}>
        {list.map((request) => (
          <Row key={request.id} request={request} longest={longest} />
        ))}
      </ul>
      <p class="shown">{shownText(list.length)}</p>
    </aside>
  );
}

/** What no host remembers may still be in the store. */
function InAudit({ search }: { readonly search: string }) {
  const filter = isOffered('system') ? auditFilters(search) : undefined;
  if (filter === undefined) return null;
  return (
    <>
      {' '}
      {filter['correlation'] !== undefined && (
        <>
          <a href={linkTo('requests', filter['correlation'])}>Rebuild it from the audit</a> or{' '}
        </>
      )}
      <a href={linkTo('system', '', chosenHost.value, filter)}>search the system stream</a>.
    </>
  );
}

const searchHelp =
  'A word, or status:4xx, outcome:rejected, command:, error:, host:, transport:, id:, stream:, slower:500 (ms), since:10:30';

/** A list that is cut says so. */
function shownText(listed: number): string {
  if (found.value !== undefined)
    return listed >= maxFound
      ? `The newest ${count(listed)} matches; narrow the search to see others.`
      : `${count(listed)} found among the requests that are remembered.`;
  const total = figures.value === undefined ? listed : allRequests(figures.value);
  return listed < total ? `The newest ${count(listed)} of ${count(total)} since the start.` : '';
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
  const { id, host, command, correlationId, ms, outcome, status, states, startedAt, error } = request;
  const isGood = outcome === 'completed';
  return (
    <li>
      <a
        href={linkTo('requests', id)}
        aria-current={openItem.value === id ? 'true' : undefined}
        data-outcome={outcome}
        title={`${command} · ${outcome}${error === undefined ? '' : ` · ${error}`} · ${correlationId}`}
      >
        <Dot tone={tones[outcome]} />
        <span class="command">{command}</span>
        <span class="ms">{outcome === 'rejected' || outcome === 'replayed' ? '' : duration(ms)}</span>
        <span class="about">
          <Time at={startedAt} />
          <span class="id">
            {host} {shortId(correlationId)}
          </span>
          <span class={`end ${tones[outcome]}`}>
            {isGood ? (
              <span class="sr">completed</span>
            ) : (
              [status, error ?? outcome].filter(Boolean).join(' ')
            )}
          </span>
        </span>
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
  if (id !== undefined) navigate('requests', id);
}

const typedForMs = 150;

function useSearch(): void {
  const wanted = (filters.value['q'] ?? '').trim();
  const latest = requests.value;
  useEffect(() => {
    if (wanted === '') {
      found.value = undefined;
      return;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      read<RequestItem[]>('requests', { search: wanted, limit: String(maxFound) }, stop.signal).then(
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
