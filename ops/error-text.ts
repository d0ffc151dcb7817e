import { Problem } from '../contracts/problems.js';

/**
 * What `svc` prints when it cannot go on: one line that says what to do about it,
 * and behind a mistake in the application's own code where it happened.
 */
export function errorText(error: unknown, env: NodeJS.ProcessEnv = process.env): string {
  const causes = causesOf(error);
  for (const cause of causes) {
    const advice = adviceOn(cause, env);
    if (advice !== undefined) return `svc: ${advice}\n`;
  }
  const last = causes.at(-1);
  const own = last instanceof Error && !(last instanceof Problem) ? ownFrames(last) : [];
  const message = error instanceof Error ? error.message : String(error);
  const named = error instanceof Error && !(error instanceof Problem) ? `${error.name}: ${message}` : message;
  return [`svc: ${named}`, ...own].map((line) => `${line}\n`).join('');
}

/** An error, what caused it, and so on. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let at: unknown = error; at !== undefined && causes.length < 8;) {
    causes.push(at);
    at = at instanceof Error ? (at instanceof AggregateError ? at.errors[0] : at.cause) : undefined;
  }
  return causes;
}

interface SystemError {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly address?: unknown;
  readonly hostname?: unknown;
  readonly port?: unknown;
}

function adviceOn(error: unknown, env: NodeJS.ProcessEnv): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall, address, hostname, port } = error as SystemError;
  if (code === 'EADDRINUSE')
    return `Port ${String(port)} of ${String(address)} is taken by another process; stop it, or set SVC_PORT (0: any free one).`;
  if (code === 'EACCES' && syscall === 'listen')
    return `Port ${String(port)} may only be listened on by root; set SVC_PORT to one above 1023.`;
  const variable = env['DATABASE_OWNER_URL'] ? 'DATABASE_OWNER_URL or DATABASE_URL' : 'DATABASE_URL';
  if (syscall === 'getaddrinfo')
    return `There is no host ${String(hostname)} (${String(code)}); correct ${variable}.`;
  if (syscall === 'connect' && typeof code === 'string')
    return `PostgreSQL does not answer at ${String(address)}:${String(port)} (${code}); start it, or correct ${variable}.`;
  return sqlAdvice(String(code), error.message, variable);
}

/** Postgres names users, databases and schemas, never a password. */
function sqlAdvice(code: string, message: string, variable: string): string | undefined {
  switch (code) {
    case '28P01':
    case '28000':
      return `PostgreSQL refuses to log us in (${message}); correct ${variable}.`;
    case '3D000':
      return `PostgreSQL says: ${message}; create it with createdb, or correct ${variable}.`;
    case '42501':
      return `PostgreSQL says: ${message}; let DATABASE_OWNER_URL name a role that may, or run GRANT USAGE, CREATE ON SCHEMA public TO the role in ${variable}.`;
    default:
      return undefined;
  }
}

/** Where in the application it happened, without the frames of node and of this package. */
function ownFrames({ stack = '' }: Error): readonly string[] {
  return stack
    .split('\n')
    .filter(
      (line) => /^\s+at /.test(line) && !/[ (]node:|<anonymous>\)?$/.test(line) && !line.includes(ownFolder),
    )
    .slice(0, maxFrames);
}

const maxFrames = 8;
const ownFolder = new URL('../', import.meta.url).href;
