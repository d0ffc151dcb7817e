import { QuarantinedCommands } from '../../actors/commands/quarantined-commands.js';
import { type Beginning, isToHost } from './ipc-messages.js';

interface StartupMessages {
  /** Which host this is, when it is to start. */
  readonly begun: Promise<Beginning>;
  /** Up to date from the first message on: a quarantine may arrive together with the order to start. */
  readonly quarantine: QuarantinedCommands;
}

/** What a host process receives from the supervisor before it starts. */
export function receiveStartupMessages(channel: Pick<NodeJS.EventEmitter, 'on'>): StartupMessages {
  const quarantine = new QuarantinedCommands();
  const begun = new Promise<Beginning>((resolve) => {
    channel.on('message', (message: unknown) => {
      if (!isToHost(message)) return;
      if (message.type === 'quarantine') quarantine.replace(message.commands);
      if (message.type !== 'begin') return;
      quarantine.replace(message.quarantined);
      resolve(message);
    });
  });
  return { begun, quarantine };
}
