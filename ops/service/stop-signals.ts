/**
 * What SIGTERM and SIGINT do: they end the process at once, until something runs that must be stopped first. Only the
 * first one counts, because a terminal and npm each send the same Ctrl-C.
 */
let stop: ((signal: NodeJS.Signals) => void) | undefined;
let isStopping = false;

const exit = (): void => process.exit(0);

/** For a process that only loads its code yet: there is nothing to undo. */
export const exitOnStopSignals = (): void => onStopSignal(exit);

export function onStopSignal(next: (signal: NodeJS.Signals) => void): void {
  if (stop === undefined) for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, receive);
  stop = next;
}

function receive(signal: NodeJS.Signals): void {
  if (isStopping) return;
  isStopping = true;
  stop?.(signal);
}
