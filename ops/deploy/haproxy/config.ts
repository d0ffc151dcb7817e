import { resolve } from 'node:path';
import { isObject, type JsonObject } from '../../../contracts/codec-scalars.js';
import { Problem } from '../../../contracts/problems.js';

/** Where one of the two revisions runs. */
export interface Slot {
  readonly name: string;
  /** The name of its server in the backend. */
  readonly server: string;
  readonly port: number;
}

/** The settings of `deploy.json` for HAProxy. */
export interface HaproxyConfig {
  /** The path of HAProxy's runtime socket. */
  readonly socket: string;
  readonly backend: string;
  readonly slots: readonly [Slot, Slot];
  /** The folder in which revisions are kept. */
  readonly releases: string;
  /** The map of the header x-canary, as haproxy.cfg names it; unset: the one called canary.map. */
  readonly map: string | undefined;
  /** The file from which HAProxy takes the weights when it starts. */
  readonly state: string | undefined;
}

const known = 'driver service socket backend slots releases map state replicas'.split(' ');

/** Reads the settings; reports all bad values at once. Relative paths start at the folder of `deploy.json`. */
export function haproxyConfigOf(value: unknown, folder: string): HaproxyConfig {
  const faults: string[] = [];
  const given = recordOf(value);
  for (const name of Object.keys(given))
    if (!known.includes(name)) faults.push(`"${name.slice(0, 40)}" is not a setting`);
  const path = (name: string): string | undefined => {
    const text = given[name];
    if (text === undefined) return undefined;
    if (typeof text === 'string' && /^[^\0\s;]+$/.test(text)) return resolve(folder, text);
    faults.push(`"${name}" must be a path without spaces`);
    return undefined;
  };
  const socket = path('socket');
  if (given['socket'] === undefined) faults.push('"socket" must be the path of HAProxy\'s runtime socket');
  const slots = Object.entries(recordOf(given['slots'])).map(([name, slot]) => slotOf(name, slot, faults));
  const [first, second, ...more] = slots;
  if (first === undefined || second === undefined || more.length > 0)
    faults.push('"slots" must hold two, such as blue and green');
  else if (first.port === second.port || first.server === second.server)
    faults.push('the two slots must have different servers and ports');
  const backend = nameIn(given['backend'], '"backend"', faults);
  const config = { socket, backend, releases: path('releases'), map: path('map'), state: path('state') };
  if (faults.length > 0 || first === undefined || second === undefined || config.socket === undefined)
    throw new Problem('invalid-setup', { detail: `deploy.json: ${faults.join('; ')}` });
  const releases = config.releases ?? resolve(folder, 'releases');
  return { ...config, socket: config.socket, releases, slots: [first, second] };
}

function slotOf(name: string, value: unknown, faults: string[]): Slot {
  const { server = name, port } = recordOf(value);
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535)
    faults.push(`the "port" of the slot ${name} must be a number from 1 to 65535`);
  const slot = nameIn(name, 'the name of a slot', faults);
  return {
    name: slot,
    server: nameIn(server, `the "server" of the slot ${name}`, faults),
    port: Number(port),
  };
}

/** Names reach commands of HAProxy and paths: no space, semicolon or slash. */
function nameIn(value: unknown, what: string, faults: string[]): string {
  if (typeof value === 'string' && /^\w[\w.:-]{0,63}$/.test(value)) return value;
  faults.push(`${what} must be a name of letters, digits, _ . : and -`);
  return '';
}

const recordOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
