import type { Event } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { partitions } from '../../contracts/reaction-store.js';
import type { ReceptorRegistration } from '../../contracts/receptor.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { StagedRecord } from '../../contracts/unit-store.js';
import { systemRecord } from '../../runtime/audit/system-record.js';
import { eventStore } from '../../runtime/service/register-event-store.js';
import { addService } from '../../runtime/service/service.js';
import { collect } from '../../runtime/kit/collect.js';
import { type FakeClock, fakeClock } from '../../runtime/kit/fake-clock.js';
import { inMemoryCursorLog } from '../../runtime/testing/in-memory-cursor-log.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { addSystemEventAuditing } from '../add-system-events-and-auditing.js';
import { dispatcherFor } from '../commands/create-dispatcher.js';
import type { Process } from '../processes/process.js';
import { fireProcess, processWork } from '../processes/process-work.js';
import type { CursorPorts } from '../reactions/cursor-ports.js';
import { BlockingCode } from '../steps/blocking-code.js';
import { CursorRun } from '../reactions/cursor-run.js';
import { EventFigures } from '../reactions/event-figures.js';
import { InFlight } from '../reactions/in-flight.js';
import { attemptDefaults } from '../reactions/step-attempt.js';
import { fireTimer, type FiringOutcome } from '../due/fire-timer.js';
import { type FulfilmentCommand, fulfilmentReceptors, Happen } from './fulfilment-receptors.js';
import { OrderFulfilment } from './order-fulfilment.js';

/** Which commands the receptors refuse. */
export type Refusals = Partial<Record<'ReserveStock' | 'ReleaseStock' | 'CancelOrder', string>>;

/** The fulfilment of orders over an in-memory store whose clock stands still. */
export function fulfilmentService(
  refusals: Refusals = {},
  process: Process = new OrderFulfilment(),
  others: readonly ReceptorRegistration[] = [],
) {
  const clock: FakeClock = fakeClock('2026-01-01T00:00:00Z');
  const store = new InMemoryEventStore({ now: clock.now });
  const service = addService()
    .with(eventStore(store))
    .with(addSystemEventAuditing((options) => options.enableAll()));
  const dispatcher = dispatcherFor(service, { store, report: () => undefined });
  dispatcher.register([...fulfilmentReceptors(refusing(refusals)), ...others]);
  const recordOf = (message: SystemMessage): StagedRecord => systemRecord(message, {}, service.parts.policy);
  const figures = new EventFigures();
  const common = {
    dispatcher,
    store,
    reactions: store.reactions,
    recordOf,
    isSensitive: () => false,
    secretsIn: () => undefined,
    deadlineMs: 5_000,
    code: new BlockingCode(),
    figures,
  };
  const runs = runsOf(process, common);
  const fire = { process: fireProcess([process], common), command: noSuchTimer, schedule: noSuchTimer };
  const all = () => collect(store.readAll({ after: 0 }));
  return {
    clock,
    store,
    dispatcher,
    figures,
    runs,
    typed: async (type: string) => (await all()).filter(({ messageType }) => messageType === type),
    happen: async (...events: Event[]) => {
      for (const event of events) await dispatcher.localInvoke(Happen.of({ event }));
      for (const run of runs) run.wake();
    },
    stateOf: async (key: Uuid) => (await store.reactions.process(process.name, key))?.state,
    rowOf: (key: Uuid) => store.reactions.process(process.name, key),
    timersOf: (key: Uuid) => store.reactions.timersOf('process', process.name, key),
    /** Fires what is due. */
    fireDue: async (): Promise<readonly FiringOutcome[]> => {
      const { due } = await store.reactions.dueTimers([...runs.keys()], 100);
      const outcomes = await Promise.all(due.map((timer) => fireTimer(timer, { ...common, fire })));
      for (const run of runs) run.wake();
      return outcomes;
    },
  };
}

const noSuchTimer = () => Promise.reject(new Error('there is no such timer'));

const refusing =
  (refusals: Refusals) =>
  (command: FulfilmentCommand): void => {
    const code = refusals[command.constructor.name as keyof Refusals];
    if (code !== undefined) throw new Problem(code, { status: 409 });
  };

type CommonPorts = Pick<
  CursorPorts,
  'dispatcher' | 'reactions' | 'recordOf' | 'isSensitive' | 'secretsIn' | 'deadlineMs' | 'code' | 'figures'
> & {
  readonly store: InMemoryEventStore;
};

/** One per partition. */
function runsOf(process: Process, common: CommonPorts): readonly CursorRun[] {
  const runs: CursorRun[] = Array.from({ length: partitions }, (_, part) => {
    const work = processWork(process, common);
    const ports = {
      ...common,
      inFlight: new InFlight(),
      log: inMemoryCursorLog(common.store, work),
      settings: { ...attemptDefaults, retryMs: 1, busyMs: 1 },
      isBusy: () => false,
      caughtUp: () => Promise.resolve(),
      // As the store notifies its hosts.
      committed: () => {
        for (const run of runs) run.wake();
      },
    };
    return new CursorRun(ports, { name: `process/${process.name}/${part}`, part, work });
  });
  return runs;
}
