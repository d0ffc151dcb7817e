import { runPostChecks } from '../checks/post.js';
import { runPreChecks } from '../checks/pre.js';
import type { CheckReport } from '../checks/report.js';
import { runCommand } from '../checks/run-command.js';
import type { GateSettings } from './steps.js';
import type { Gate } from './surroundings.js';

const commandMs = 1_800_000;

/** The checks of `svc check` where they can run, then the command. `app`: an application folder, if it is one. */
export const gateOf =
  (settings: GateSettings, app: string | undefined, key: string | undefined): Gate =>
  async (name, signal) => {
    const report = settings.builtIn ? await builtIn[name](settings, app, key, signal) : undefined;
    const failed = report?.checks.find(({ ok }) => !ok);
    if (failed !== undefined) return { ok: false, reason: `${failed.name}: ${failed.detail}` };
    const command = settings[name];
    if (command === undefined) return { ok: true, reason: '' };
    const ended = await runCommand(command, commandMs, signal);
    return { ok: ended === 'exit code 0', reason: `${onOneLine(command)}: ${ended}` };
  };

type BuiltIn = (
  settings: GateSettings,
  app: string | undefined,
  key: string | undefined,
  signal: AbortSignal,
) => Promise<CheckReport | undefined>;

const builtIn: Readonly<Record<'pre' | 'post', BuiltIn>> = {
  pre: async (_, app, __, signal) => (app === undefined ? undefined : runPreChecks(app, { signal })),
  post: async ({ url }, _, key, signal) =>
    url === undefined ? undefined : runPostChecks({ url, key, signal }),
};

const mostOfCommand = 200;

const onOneLine = (command: string): string => {
  const line = command.trim().replaceAll(/\s+/g, ' ');
  return line.length > mostOfCommand ? `${line.slice(0, mostOfCommand)}…` : line;
};
