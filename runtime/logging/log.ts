import { type DestinationStream, type Logger, type LogFn, pino } from 'pino';
import { humanLine } from './human-log.js';
import { logOutput } from './log-output.js';
import { LogThrottle } from './log-throttle.js';
import { thrownMessage } from '../lang/thrown.js';

let isForPeople = process.stdout.isTTY;

/** From here on, lines are JSON, on a terminal too. */
export function logForMachines(): void {
  isForPeople = false;
}

const terminal: DestinationStream = {
  write: (line) => {
    process.stdout.write(isForPeople ? humanLine(line) : line);
  },
};

const wanted = process.env['SVC_LOG'] ?? '';
const warn = 40;

const options = {
  // The configuration reports an invalid level, together with every other invalid value.
  level: wanted === 'silent' || Object.hasOwn(pino.levels.values, wanted) ? wanted : 'info',
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (level: string) => ({ level }) },
  redact: {
    paths: ['password', '*.password', 'authorization', '*.authorization', '*.cookie'],
    censor: '[redacted]',
  },
  hooks: { logMethod: writeUnlessRepeated },
};

/** One outage logs the same few lines thousands of times; lines are equal when their message and their error are. */
function writeUnlessRepeated(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
  const text = level < warn ? undefined : textOf(args);
  if (text === undefined || repeated.mayWrite(text)) method.apply(this, args);
}

function textOf([facts, message]: readonly unknown[]): string | undefined {
  if (typeof facts === 'string') return facts;
  if (typeof message !== 'string' || typeof facts !== 'object' || facts === null) return undefined;
  const err: unknown = 'err' in facts ? facts.err : undefined;
  const isSummary = typeof err === 'object' && err !== null && !(err instanceof Error) && 'message' in err;
  return `${message}: ${thrownMessage(isSummary ? err.message : err)}`;
}

/** One JSON line per event, or a readable line on a terminal; `SVC_LOG` sets the level. */
export const log = pino(options, process.stdout.isTTY ? terminal : logOutput());

/** Where a process listens: every level but `silent` has this line, because nothing else names a port that was free. */
export function logListening(facts: object): void {
  const level = log.level === 'silent' ? 'silent' : 'info';
  log.child({}, { level }).info(facts, 'listening');
}

const repeated = new LogThrottle((text, inMs, count) => {
  setTimeout(
    () => log.warn({ repeated: count(), line: text }, 'a repeated line was suppressed'),
    inMs,
  ).unref();
});
