import { effect } from '@preact/signals';
import { type ComponentType, render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ActorsPanel } from './actors-panel.js';
import { ApiPanel } from './api-panel.js';
import { ApprovalsPanel } from './approvals-panel.js';
import { DeploymentsPanel } from './deployments-panel.js';
import { Confirmation, notice } from './parts/dialog.js';
import { EffectsPanel } from './effects/effects-panel.js';
import { FlagsPanel } from './flags-panel.js';
import { HealthPanel } from './health-panel.js';
import { RequestsPanel } from './requests/requests-panel.js';
import { hostInfo, followHost, hosts, hasCombinedView, isStale, state } from './parts/live-state.js';
import { MapPanel } from './map-panel.js';
import { MachinesPanel } from './machines-panel.js';
import { OutboxPanel } from './outbox-panel.js';
import { OverviewPanel } from './overview-panel.js';
import { PerspectivesPanel } from './perspectives/perspectives-panel.js';
import { ProcessesPanel } from './processes/processes-panel.js';
import { Badge, Empty } from './parts/components.js';
import { Keys, onKey } from './keys.js';
import { firstPanel, type PanelName } from '../model/panels.js';
import {
  chosenHost,
  currentGroup,
  currentPanel,
  linkTo,
  navigate,
  offeredGroups,
  offeredPanels,
  unknownPanel,
} from './parts/navigation.js';
import { isPaletteOpen, Palette } from './palette.js';
import { ReactionsPanel } from './reactions/reactions-panel.js';
import { StreamPanel } from './stream/stream-panel.js';
import { StuckPanel } from './stuck/stuck-panel.js';
import { SystemPanel } from './system/system-panel.js';
import { resumeSession } from './parts/session.js';
import { SignIn, SignOut } from './sign-in.js';
import { StateBar } from './state-bar.js';
import { theme, toggleTheme } from './theme.js';

const bodies: Readonly<Record<PanelName, ComponentType>> = {
  overview: OverviewPanel,
  requests: RequestsPanel,
  map: MapPanel,
  stream: StreamPanel,
  system: SystemPanel,
  perspectives: PerspectivesPanel,
  processes: ProcessesPanel,
  reactions: ReactionsPanel,
  effects: EffectsPanel,
  approvals: ApprovalsPanel,
  stuck: StuckPanel,
  outbox: OutboxPanel,
  actors: ActorsPanel,
  machines: MachinesPanel,
  health: HealthPanel,
  flags: FlagsPanel,
  deployments: DeploymentsPanel,
  api: ApiPanel,
};

function Console() {
  const Body = bodies[currentPanel.value];
  return (
    <>
      <a class="skip" href="#main" onClick={toMain}>
        Skip to content
      </a>
      <Top />
      <StateBar />
      <main id="main" tabIndex={0} class={`panel-${currentPanel.value}`}>
        {isKnown() ? (
          <Body />
        ) : (
          <Empty>{`There is no page '${unknownPanel.value}'; choose one above.`}</Empty>
        )}
      </main>
      <p class="sr" role="status">
        {notice.value}
      </p>
      <Confirmation />
      <Palette />
      <Keys />
      <SignIn />
    </>
  );
}

/** The fragment of the URL holds the user's location: a skip link must not change it. */
function toMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

const isKnown = (): boolean => unknownPanel.value === undefined;
const isCurrent = (name: PanelName): boolean => isKnown() && currentPanel.value === name;

function Top() {
  const about = hostInfo.value;
  return (
    <header class="top">
      <h1>
        <Hexagon /> {about?.service ?? 'Console'}
      </h1>
      <HostChoice />
      {about !== undefined && <Badge>{about.broadcasts ? 'Broadcast' : 'LocalOnly'}</Badge>}
      <Tabs />
      <button type="button" class="plain go-to" onClick={() => (isPaletteOpen.value = true)}>
        Go to <kbd>Ctrl K</kbd>
      </button>
      <SignOut />
      <button
        type="button"
        class="plain icon"
        aria-label={`Use ${theme.value === 'dark' ? 'light' : 'dark'} colors`}
        title="Switch between light and dark"
        onClick={toggleTheme}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <circle cx="8" cy="8" r="5.5" />
          <path class="solid" d="M8 2.5a5.5 5.5 0 0 1 0 11z" />
        </svg>
      </button>
    </header>
  );
}

/** The groups, and the panels of the one that is shown. */
function Tabs() {
  const tabs = useRef<HTMLElement>(null);
  useEffect(
    () =>
      tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    [currentPanel.value, offeredPanels.value],
  );
  return (
    <>
      <nav class="groups" aria-label="Groups">
        {offeredGroups.value.map((group) => (
          <a
            key={group.title}
            href={linkTo(firstPanel([group]))}
            aria-current={isKnown() && currentGroup.value === group ? 'true' : undefined}
          >
            {group.title}
          </a>
        ))}
      </nav>
      <nav ref={tabs} class="panels" aria-label={`Panels of ${currentGroup.value?.title ?? ''}`}>
        {currentGroup.value?.panels.map(({ name, title }) => (
          <a key={name} href={linkTo(name)} aria-current={isCurrent(name) ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
    </>
  );
}

const Hexagon = () => (
  <svg class="logo" viewBox="0 0 16 16" aria-hidden="true">
    <path d="M8 1.2l5.9 3.4v6.8L8 14.8l-5.9-3.4V4.6z" />
    <circle cx="8" cy="8" r="2" />
  </svg>
);

function HostChoice() {
  const all = hosts.value;
  if (all.length < 2) return <span class="host">{hostInfo.value?.host}</span>;
  return (
    <select
      class="host"
      aria-label="Host"
      value={chosenHost.value ?? (hasCombinedView.value ? '' : hostInfo.value?.host)}
      onChange={(event) => navigate(currentPanel.value, '', event.currentTarget.value)}
    >
      {hasCombinedView.value && <option value="">all hosts</option>}
      {all.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

/** A tab in the background shows only its title. */
const titleMarks: Readonly<Record<string, string>> = { bad: '● ', lost: '○ ' };

addEventListener('keydown', onKey);
effect(() => {
  document.documentElement.dataset['stale'] = String(isStale.value);
});
effect(() => {
  const mark = titleMarks[state.value.level] ?? '';
  document.title = `${mark}${hostInfo.value?.service ?? 'Console'} · ${offeredPanels.value.find(({ name }) => name === currentPanel.value)?.title ?? ''}`;
});
void resumeSession().finally(followHost);
const root = document.getElementById('app');
if (root !== null) render(<Console />, root);
