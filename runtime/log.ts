import { type DestinationStream, pino } from 'pino';
import { humanLine } from './human-log.js';

let isForPeople = process.stdout.isTTY;

/** From here on lines are JSON, on a terminal too. */
export function logForMachines(): void {
  isForPeople = false;
}

const terminal: DestinationStream = {
  write: (line) => {
    process.stdout.write(isForPeople ? humanLine(line) : line);
  },
};

const wanted = process.env['SVC_LOG'] ?? '';

const options = {
  // A level that does not exist is reported by the config, together with every other bad value.
  level: wanted === 'silent' || Object.hasOwn(pino.levels.values, wanted) ? wanted : 'info',
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (level: string) => ({ level }) },
  redact: {
    paths: ['password', '*.password', 'authorization', '*.authorization', '*.cookie'],
    censor: '[redacted]',
  },
};

/** One JSON line per event, or a line for a person when one is watching; `SVC_LOG` sets the level. */
export const log = process.stdout.isTTY ? pino(options, terminal) : pino(options);
