import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isObject } from '../../contracts/codec-scalars.js';
import { Problem } from '../../contracts/problems.js';

/** The part of `deploy.json` that every driver shares. */
export interface DeployConfig {
  /** `haproxy`, `kubernetes`, or the path of a module that exports `deploymentDriver`. */
  readonly driver: string;
  readonly service: string | undefined;
  readonly replicas: number | undefined;
  /** Commands that must pass before and after. */
  readonly pre: string | undefined;
  readonly post: string | undefined;
  /** Where the new revision answers; the checks after a deployment use it. */
  readonly url: string | undefined;
  /** What the driver reads. */
  readonly forDriver: Readonly<Record<string, unknown>>;
}

const mostBytes = 65_536;

/** Reads the file; reports all bad values at once. */
export async function readDeployConfig(file: string): Promise<DeployConfig> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const what = code === 'ENOENT' ? `There is no ${file}` : `${file} cannot be read (${String(code)})`;
    throw new Problem('invalid-setup', {
      detail: `${what}; write one that names a driver, or give another with --config.`,
      cause,
    });
  });
  return deployConfigIn(text, file);
}

/** Checks the text of `deploy.json`. */
export function deployConfigIn(text: string, file: string): DeployConfig {
  const faults: string[] = [];
  const given = objectIn(text, file);
  const { pre, post, url, ...forDriver } = given;
  const config: DeployConfig = {
    driver: driverIn(given['driver'], dirname(resolve(file)), faults),
    service: serviceIn(given, faults),
    replicas: replicasIn(given['replicas'], faults),
    pre: lineIn('pre', pre, faults),
    post: lineIn('post', post, faults),
    url: urlIn(url, faults),
    forDriver,
  };
  if (faults.length > 0) throw invalid(file, faults.join('; '));
  return config;
}

function objectIn(text: string, file: string): Readonly<Record<string, unknown>> {
  if (text.length > mostBytes) throw invalid(file, `it is longer than ${mostBytes} characters`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(file, `it is not JSON: ${error instanceof Error ? error.message.slice(0, 200) : ''}`);
  }
  if (isObject(value)) return { ...value };
  throw invalid(file, 'it must hold an object');
}

function driverIn(value: unknown, folder: string, faults: string[]): string {
  if (value === 'haproxy' || value === 'kubernetes') return value;
  if (isLine(value, 4_096) && /^\.{0,2}\/.*\.m?js$/.test(value)) return resolve(folder, value);
  faults.push('"driver" must be haproxy, kubernetes, or the path of a module such as ./driver.js');
  return '';
}

/** How deployments are listed: the service, else the backend. */
function serviceIn({ service, backend }: Readonly<Record<string, unknown>>, faults: string[]) {
  if (service !== undefined && !isLine(service, 256)) faults.push('"service" must be a name in one line');
  return [service, backend].find((name) => isLine(name, 256));
}

function replicasIn(value: unknown, faults: string[]): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1_000) return value;
  faults.push('"replicas" must be a whole number from 1 to 1000');
  return undefined;
}

function lineIn(name: string, value: unknown, faults: string[]): string | undefined {
  if (value === undefined || isLine(value, 4_096)) return value;
  faults.push(`"${name}" must be a command in one line`);
  return undefined;
}

function urlIn(value: unknown, faults: string[]): string | undefined {
  if (value === undefined) return undefined;
  if (isLine(value, 2_048) && /^https?:\/\//.test(value) && URL.canParse(value)) return value;
  faults.push('"url" must be a URL such as http://127.0.0.1:8080');
  return undefined;
}

const isLine = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= most && !/\p{Cc}/u.test(value);

const invalid = (file: string, reason: string): Problem =>
  new Problem('invalid-setup', { detail: `${file}: ${reason}.` });
