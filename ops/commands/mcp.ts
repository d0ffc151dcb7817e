import { version } from '../../runtime/lang/version.js';
import { questionsAbout } from '../agents/answer-questions.js';
import { serveLines } from '../agents/serve-lines.js';
import { withReadOnlyDatabaseOf } from '../cli/database.js';
import type { Verb } from '../cli/verb.js';
import { readConfig } from '../config/config.js';
import { printToStdout } from '../terminal/print.js';
import { optionsOf, usageOf } from './arguments.js';

export const mcp: Verb = {
  help: `
svc mcp [--bodies] [--json]

mcp serves coding and on-call agents over stdin and stdout, with the Model Context Protocol. They may ask about the health
of a store, streams, what a request led to, processes, effects, timers, stuck work, the audit and problems, and search the
guides. They cannot change anything: transactions are read-only, a query is cancelled after 5 s, and an answer has at most
200 rows and 64 KiB. The contents of commands and events are left out.
The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).

  --bodies  shows the contents as they are in the audit, with sensitive values hidden
  --json    has no effect: every line is JSON already

  claude mcp add orders -- svc mcp`,
  run: async (args) => {
    const { bodies = false } = optionsOf(args, options, usageOf('mcp'));
    await withReadOnlyDatabaseOf(readConfig(), (database) => {
      const tools = questionsAbout(database, bodies);
      return serveLines(process.stdin, printToStdout, { name: 'svc', version }, tools);
    });
  },
  endsProcess: true,
};

const options = { bodies: { type: 'boolean' }, json: { type: 'boolean' } } as const;
