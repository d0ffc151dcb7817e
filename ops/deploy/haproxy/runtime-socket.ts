import { connect } from 'node:net';
import { Problem } from '../../../contracts/problems.js';

const mostCharacters = 65_536;
const answerWithinMs = 5_000;

/** Sends one command to the runtime socket of HAProxy and returns its answer. */
export function runtimeCommand(path: string, command: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path });
    let answer = '';
    const fail = (reason: string): void => {
      socket.destroy();
      reject(unreachable(path, reason));
    };
    const tooLong = setTimeout(() => fail(`no answer within ${answerWithinMs / 1_000} s`), answerWithinMs);
    const giveUp = (): void => fail('the wait was ended');
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp);
    socket.on('connect', () => socket.end(`${command}\n`));
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk;
      if (answer.length > mostCharacters) fail(`its answer is longer than ${mostCharacters} characters`);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => fail(reasonOf(error)));
    socket.on('end', () => (isWhole(answer) ? resolve(answer.trim()) : fail('its answer breaks off')));
    socket.on('close', () => {
      clearTimeout(tooLong);
      signal.removeEventListener('abort', giveUp);
      reject(unreachable(path, 'it closed the connection'));
    });
  });
}

/** Every answer ends with an empty line, also that to a change, which has no other. */
const isWhole = (answer: string): boolean => answer === '\n' || answer.endsWith('\n\n');

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such socket',
  ECONNREFUSED: 'HAProxy is not running',
  EACCES: 'this user may not open the socket',
  ENOTSOCK: 'this is not a socket',
};

const reasonOf = ({ code = '', message }: NodeJS.ErrnoException): string => reasons[code] ?? message;

const unreachable = (path: string, reason: string): Problem =>
  new Problem('front-unreachable', {
    detail: `HAProxy cannot be reached at ${path}: ${reason}; compare "socket" in deploy.json with "stats socket" in haproxy.cfg.`,
  });
