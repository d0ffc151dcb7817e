import { pino } from 'pino';

/** One JSON line per event; `SVC_LOG` sets the level. */
export const log = pino({
  level: process.env['SVC_LOG'] ?? 'info',
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (level) => ({ level }) },
  redact: {
    paths: ['*.password', '*.authorization', 'headers.authorization', 'headers.cookie'],
    censor: '[redacted]',
  },
});
