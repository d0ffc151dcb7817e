import { Supervisor } from '../../actors/supervisor/supervisor.js';
import { log } from '../../runtime/logging/log.js';

/** A supervisor for a start that an interruption undoes: what runs already is stopped, and nothing more is started. */
export function interruptibleSupervisor(interruption: AbortSignal | undefined): Supervisor {
  const supervisor = new Supervisor();
  interruption?.addEventListener('abort', () => void undoStart(supervisor));
  return supervisor;
}

export const undoStart = (supervisor: Supervisor): Promise<void> =>
  supervisor.stop().catch((err: unknown) => log.warn({ err }, 'undoing a start failed'));
