import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { QuarantinedCommand } from '../../actors/commands/quarantined-commands.js';
import type { ChildStatus, Running } from '../../actors/supervisor/child.js';
import { Problem } from '../../contracts/problems.js';

export interface HostStatus extends ChildStatus {
  /** Unset while there is no process. */
  readonly pid: number | undefined;
  /** In bytes. */
  readonly memory: number | undefined;
}

export interface SupervisorStatus {
  readonly pid: number;
  readonly app: string;
  readonly url: string;
  readonly state: 'starting' | 'running' | 'scaling' | 'reloading' | 'stopping';
  /** The number of hosts that it keeps running; those that leave are still listed until they have exited. */
  readonly wanted: number;
  readonly hosts: readonly HostStatus[];
  /** The commands in quarantine. */
  readonly quarantined: readonly QuarantinedCommand[];
  /** Why the last host that was added did not start. */
  readonly lastError?: string;
}

/** What may be asked over the socket; both throw to refuse. */
export interface SupervisorControl {
  status(): SupervisorStatus;
  scale(hosts: number): void;
  stop(): void;
}

type SupervisorRequest = { readonly scale: number } | { readonly stop: true };
interface Refusal {
  readonly refused: string;
}

export const mostHosts = 256;
const mostCharacters = 256;
/** A client that sends nothing asks for the status. */
const requestWithinMs = 1_000;
/** A frozen supervisor accepts connections and answers none. */
const answerWithinMs = 15_000;

/** Access to the data folder gives access to its hosts. */
export async function statusSocket(dataDir: string, control: SupervisorControl): Promise<Running> {
  await mkdir(resolve(dataDir), { recursive: true });
  const path = socketIn(dataDir);
  const other = await statusOf(dataDir);
  if (other !== undefined) {
    throw new Problem('invalid-setup', {
      detail: `Process ${other.pid} already supervises hosts in ${dataDir}; stop it, or set SVC_DATA_DIR to another folder.`,
    });
  }
  await rm(path, { force: true });
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined);
    // A client that keeps its side open would keep the supervisor from stopping.
    const answered = () => socket.destroySoon();
    void requestOn(socket).then((request) =>
      socket.end(JSON.stringify(answerTo(request, control)), answered),
    );
  });
  // The socket is created before `listen` returns: nobody else can connect to it at any time.
  const mask = process.umask(0o177);
  server.listen(path);
  process.umask(mask);
  await once(server, 'listening');
  return {
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

/** The status reported by the supervisor of a data folder; undefined if none is running. */
export async function statusOf(dataDir: string): Promise<SupervisorStatus | undefined> {
  return (await ask(dataDir, '')) as SupervisorStatus | undefined;
}

/** Sends a request to the supervisor of a data folder, and returns its status afterwards. */
export async function requestOfSupervisor(
  dataDir: string,
  request: SupervisorRequest,
): Promise<SupervisorStatus> {
  const answer = await ask(dataDir, JSON.stringify(request));
  if (answer === undefined) throw notRunningIn(dataDir);
  if ('refused' in answer) throw new Problem('invalid-setup', { detail: answer.refused });
  return answer;
}

export const notRunningIn = (dataDir: string): Problem =>
  new Problem('invalid-setup', {
    detail: `No supervisor is running in ${dataDir}; start one with svc supervise <app>, or set SVC_DATA_DIR.`,
  });

async function ask(dataDir: string, request: string): Promise<SupervisorStatus | Refusal | undefined> {
  const socket = connect(socketIn(dataDir));
  const silent = setTimeout(() => socket.destroy(silence(dataDir)), answerWithinMs);
  try {
    await once(socket, 'connect');
    socket.end(request);
    return JSON.parse(await text(socket)) as SupervisorStatus | Refusal;
  } catch (error) {
    if (error instanceof Problem) throw error;
    return undefined;
  } finally {
    clearTimeout(silent);
    socket.destroy();
  }
}

const silence = (dataDir: string): Problem =>
  new Problem('host-silent', {
    detail: `The supervisor of ${dataDir} does not answer; see whether its process is stopped or the machine is busy.`,
  });

function requestOn(socket: Socket): Promise<string> {
  let received = '';
  return new Promise((done) => {
    socket.setTimeout(requestWithinMs, () => done(received));
    socket.on('close', () => done(''));
    socket.on('end', () => done(received));
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received = (received + chunk).slice(0, mostCharacters);
    });
  });
}

function answerTo(request: string, control: SupervisorControl): SupervisorStatus | Refusal {
  try {
    if (request !== '') obey(JSON.parse(request) as Partial<Record<'scale' | 'stop', unknown>>, control);
    return control.status();
  } catch (error) {
    return { refused: error instanceof Problem ? error.message : 'The request is not valid.' };
  }
}

function obey({ scale, stop }: Partial<Record<'scale' | 'stop', unknown>>, control: SupervisorControl): void {
  if (stop === true) return control.stop();
  if (typeof scale === 'number' && Number.isInteger(scale) && scale >= 0 && scale <= mostHosts)
    return control.scale(scale);
  throw new Problem('usage', { detail: `A supervisor runs 0 to ${mostHosts} hosts.` });
}

/** The shorter of the absolute and the relative path: the path of a socket has a low limit. */
function socketIn(dataDir: string): string {
  const path = join(resolve(dataDir), 'supervisor.sock');
  const near = relative(process.cwd(), path);
  return near.length < path.length ? near : path;
}
