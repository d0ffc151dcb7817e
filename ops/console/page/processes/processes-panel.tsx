import { signal } from '@preact/signals';
import { count, counted } from '../../model/format.js';
import { countsByEdge, processChartOf } from '../../model/process-chart.js';
import type { ProcessFigures } from '../../model/processes.js';
import type { StateDefinition } from '../../model/statechart.js';
import { Card, Empty } from '../parts/components.js';
import { InstanceCards } from './instance-cards.js';
import { InstancesCard } from './instances-card.js';
import { chosenHost, linkTo, openItem, openPosition } from '../parts/navigation.js';
import { EdgeTable, ProcessCounts } from './process-chart.js';
import { failure, processesPage, useProcesses } from './processes-state.js';
import { TimersCard } from './timers-card.js';

const asTable = signal(false);

/** What happens when something happened: processes and timers. */
export function ProcessesPanel() {
  useProcesses();
  const page = processesPage.value;
  const shown = page?.processes.find(({ name }) => name === openItem.value) ?? page?.processes[0];
  return (
    <div class="column single">
      {failure.value !== '' && (
        <Empty>
          {page === undefined ? failure.value : `${failure.value} What is shown was read before.`}
        </Empty>
      )}
      {page === undefined && failure.value === '' && <Empty>Loading …</Empty>}
      {page !== undefined && (
        <>
          <nav class="choices" aria-label="Processes">
            {page.processes.map(({ name }) => (
              <a
                key={name}
                href={linkTo('processes', name, chosenHost.value, {})}
                aria-current={shown?.name === name ? 'true' : undefined}
              >
                {name}
              </a>
            ))}
          </nav>
          {openPosition.value !== '' ? (
            <InstanceCards />
          ) : (
            <>
              {shown === undefined ? (
                <Card title="Processes">
                  <Empty>This service has no processes.</Empty>
                </Card>
              ) : (
                <ChartCard figures={shown} examined={page.examined} />
              )}
              {shown !== undefined && <InstancesCard figures={shown} page={page} />}
              <TimersCard />
            </>
          )}
        </>
      )}
    </div>
  );
}

function ChartCard({ figures, examined }: { readonly figures: ProcessFigures; readonly examined: number }) {
  const { name, version, machine, states } = figures;
  const toggle = (
    <button
      type="button"
      class="link"
      aria-pressed={asTable.value}
      onClick={() => (asTable.value = !asTable.value)}
    >
      {asTable.value ? 'As chart' : 'As table'}
    </button>
  );
  if (machine === null)
    return (
      <Card title={name}>
        <Empty>This host does not have this process, so it cannot draw the chart.</Empty>
      </Card>
    );
  const all = states.reduce((sum, one) => sum + one.count, 0);
  const hint = `version ${version} · ${counted(all, 'instance')}; ended ones stay for a week · ${stepsText(figures, Math.min(all, examined))}`;
  return (
    <Card title={name} hint={hint} actions={toggle}>
      {asTable.value ? <EdgeTable figures={figures} /> : <ProcessCounts figures={figures} />}
    </Card>
  );
}

/** What the numbers at the edges are about. */
function stepsText({ machine, steps }: ProcessFigures, examined: number): string {
  const { others } = countsByEdge(processChartOf(machine as StateDefinition), steps);
  const about = `edges: the last 50 steps of the ${counted(examined, 'instance')} that changed last`;
  return others === 0 ? about : `${about}; ${count(others)} steps are of other versions`;
}
