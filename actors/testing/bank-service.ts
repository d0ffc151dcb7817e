import { Command, Event } from '../../contracts/message.js';
import type { Receptor } from '../../contracts/receptor.js';
import { collect } from '../../runtime/testing/collect.js';
import { RecordingEventStore } from '../../runtime/testing/recording-event-store.js';
import { type DispatcherPorts, LocalDispatcher } from '../commands/dispatcher.js';

export class Deposit extends Command {
  account!: string;
}

export class Welcome extends Command {}

export class Deposited extends Event {}

export const account = '018f0000-0000-7000-8000-0000000000bb';

export const deposit = Deposit.of({ account });

export type Handle = Receptor<Deposit, unknown>['handle'];

export const store: Handle = ({ account: to }, _signal, work) => {
  work.append(to, new Deposited());
  return 'deposited';
};

export function bank(
  handle: Handle = store,
  ports: Partial<DispatcherPorts> = {},
  options: Partial<Receptor<Deposit, unknown>> = {},
) {
  const watched = new RecordingEventStore();
  const dispatcher = new LocalDispatcher({ store: watched, ...ports });
  dispatcher.register([{ command: Deposit, receptor: { ...options, handle } }]);
  return { dispatcher, store: watched, stored: () => collect(watched.readAll({ after: 0 })) };
}
