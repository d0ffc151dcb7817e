import { isAbsolute, relative, resolve } from 'node:path';
import { Problem } from '../../contracts/problems.js';
import { isApplicationFrame } from '../../runtime/logging/application-frames.js';

/**
 * The message that `svc` prints when it fails: one line that says what to do, followed by the location of an error in
 * the application's own code.
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

/** An error and its causes, outermost first. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let at: unknown = error; at !== undefined && causes.length < 8;) {
    causes.push(at);
    at = at instanceof Error ? (at instanceof AggregateError ? at.errors[0] : at.cause) : undefined;
  }
  return causes;
}

interface SystemError {
  readonly path?: unknown;
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly address?: unknown;
  readonly hostname?: unknown;
  readonly port?: unknown;
}

function adviceOn(error: unknown, env: NodeJS.ProcessEnv): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall, path, address, hostname, port } = error as SystemError;
  if (code === 'EADDRINUSE')
    return `Port ${String(port)} of ${String(address)} is in use by another process; stop it, or set SVC_PORT (0: any free port).`;
  if (code === 'EACCES' && syscall === 'listen')
    return `Port ${String(port)} can only be opened by root; set SVC_PORT to a port above 1023.`;
  if (typeof path === 'string' && isBelow(dataDirOf(env), path))
    return `The data folder ${dataDirOf(env)} cannot be used (${error.message}); make it writable, or set SVC_DATA_DIR to another folder or DATABASE_URL to a server.`;
  const variable = env['DATABASE_OWNER_URL'] ? 'DATABASE_OWNER_URL or DATABASE_URL' : 'DATABASE_URL';
  if (syscall === 'getaddrinfo')
    return `There is no host ${String(hostname)} (${String(code)}); correct ${variable}.`;
  if (syscall === 'connect' && typeof code === 'string')
    return `PostgreSQL does not answer at ${String(address)}:${String(port)} (${code}); start it, or correct ${variable}.`;
  return (
    silenceAdvice(String(code), error.message, variable) ?? sqlAdvice(String(code), error.message, variable)
  );
}

const dataDirOf = (env: NodeJS.ProcessEnv): string => resolve(env['SVC_DATA_DIR'] || '.svc');

function isBelow(folder: string, path: string): boolean {
  const from = relative(folder, resolve(path));
  return !from.startsWith('..') && !isAbsolute(from);
}

/** What the driver of PostgreSQL says of a connection that it has lost or did not get, without a code. */
const silence =
  /^(?:Query read timeout|timeout (?:expired|exceeded)|Connection terminated)|is not (?:queryable|currently accepting connections)$/;

/** A connection that was closed, refused or shut down. */
const silenceAdvice = (code: string, message: string, variable: string): string | undefined =>
  /^(?:ECONNRESET|EPIPE|57P0[123])$/.test(code) || silence.test(message)
    ? `PostgreSQL does not answer (${message}); see whether it is running and not overloaded, or correct ${variable}.`
    : undefined;

/** PostgreSQL's messages name users, databases and schemas, never a password. */
function sqlAdvice(code: string, message: string, variable: string): string | undefined {
  switch (code) {
    case '28P01':
    case '28000':
      return `PostgreSQL refused the login (${message}); correct ${variable}.`;
    case '53300':
      return `PostgreSQL reports: ${message}; end connections that are not needed, or raise max_connections.`;
    case '53100':
      return `PostgreSQL reports: ${message}; free space on its disk.`;
    case '3D000':
      return `PostgreSQL reports: ${message}; create it with createdb, or correct ${variable}.`;
    case '42501':
      return `PostgreSQL reports: ${message}; set DATABASE_OWNER_URL to a role that may create objects, or run GRANT USAGE, CREATE ON SCHEMA public TO the role in ${variable}.`;
    default:
      return undefined;
  }
}

/** The location in the application. */
const ownFrames = ({ stack = '' }: Error): readonly string[] =>
  stack.split('\n').filter(isApplicationFrame).slice(0, maxFrames);

const maxFrames = 8;
