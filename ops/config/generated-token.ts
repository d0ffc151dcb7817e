import { randomBytes } from 'node:crypto';
import type { Config } from './config.js';
import { printToStderr } from '../terminal/print.js';

type TokenSettings = Pick<Config, 'development' | 'inspect' | 'operatorToken' | 'generatedToken'>;

/** In development, the user who starts a host may act on it with a token generated for this start. */
export const withGeneratedToken = <T extends TokenSettings>(config: T): T =>
  config.development && config.inspect && config.operatorToken === undefined
    ? { ...config, generatedToken: randomBytes(24).toString('base64url') }
    : config;

/** The fragment after # is not sent to a server, so no server logs it. */
export const consoleLink = (url: string, token: string | undefined): string =>
  `${url}/console${token === undefined ? '' : `#t=${encodeURIComponent(token)}`}`;

/** Printed beside the log, which may be kept and read by others. */
export function printConsoleLink(url: string, { inspect, generatedToken }: TokenSettings): void {
  if (!inspect || generatedToken === undefined) return;
  printToStderr(`svc: operate this host at ${consoleLink(url, generatedToken)}\n`);
}
