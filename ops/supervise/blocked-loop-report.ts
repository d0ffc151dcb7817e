import type { RunningCommand } from '../../actors/commands/running-commands-shared-memory.js';

/** What a host does while its event loop is blocked. */
export interface BlockedLoopReport {
  /** Unset: no command, or an unidentified one. */
  readonly running?: RunningCommand;
  readonly inFlight: readonly string[];
  /** A closer look follows in another report, unless the host waits in native code. */
  readonly isDiagnosing?: boolean;
  /** The location of the running code: function, file and line. */
  readonly at?: string;
}

/** Reports arrive through their own pipe, one per line: a thread has no other way out of the process. */
export const reportDescriptor = 4;

const maxLineLength = 64 * 1_024;

/** Splits the input into lines and passes on those that can be read. */
export function reportReader(onReport: (report: BlockedLoopReport) => void): (chunk: Buffer) => void {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = (lines.pop() ?? '').slice(-maxLineLength);
    for (const line of lines) {
      const report = reportIn(line);
      if (report !== undefined) onReport(report);
    }
  };
}

function reportIn(line: string): BlockedLoopReport | undefined {
  try {
    const report = JSON.parse(line) as BlockedLoopReport;
    return Array.isArray(report.inFlight) ? report : undefined;
  } catch {
    return undefined;
  }
}

/** For the log and the status. */
export function reportText({ running, inFlight, at }: BlockedLoopReport): string {
  const where = at === undefined ? '' : ` at ${at}`;
  if (running === undefined) {
    return inFlight.length === 0 ? where : `${where} while in flight: ${inFlight.join(', ')}`;
  }
  const { command, key, correlationId } = running;
  const names = [
    ...(key === undefined ? [] : [`key ${key}`]),
    ...(correlationId === undefined ? [] : [`correlation ${correlationId}`]),
  ];
  return ` by ${command}${names.length === 0 ? '' : ` (${names.join(', ')})`}${where}`;
}
