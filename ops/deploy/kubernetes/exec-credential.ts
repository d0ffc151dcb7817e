import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Problem } from '../../../contracts/problems.js';
import type { ExecPlugin } from './kubeconfig.js';

/** What a credential plugin prints. */
export interface ExecCredential {
  readonly token: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  /** When the plugin must run again, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A plugin that names no end is asked again after this time: its program may have renewed the credentials. */
const withoutExpiryMs = 600_000;
const timeoutMs = 30_000;
const run = promisify(execFile);

/** Runs a credential plugin of a kubeconfig, as kubectl does. Its output is secret and never repeated. */
export async function runExecPlugin(
  plugin: ExecPlugin,
  env: Readonly<Record<string, string | undefined>>,
  now: number,
  signal: AbortSignal,
): Promise<ExecCredential> {
  const info = { apiVersion: plugin.apiVersion, kind: 'ExecCredential', spec: { interactive: false } };
  try {
    const { stdout } = await run(plugin.command, [...plugin.args], {
      env: { ...env, ...plugin.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
      timeout: timeoutMs,
      // A plugin may ignore a request to end.
      killSignal: 'SIGKILL',
      maxBuffer: 1_048_576,
      signal,
    });
    return credentialIn(JSON.parse(stdout), now);
  } catch (error) {
    throw new Problem('invalid-setup', {
      detail: `The program '${plugin.command}' of the kubeconfig ${endOf(error, signal)}; run kubectl get pods to see why.`,
      cause: error,
    });
  }
}

function endOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'did not end in time';
  const isKilled = error instanceof Error && 'killed' in error && error.killed === true;
  return isKilled ? `did not end within ${timeoutMs / 1_000} s` : 'printed no credentials';
}

function credentialIn(value: unknown, now: number): ExecCredential {
  const { status } = value as { readonly status: Readonly<Record<string, unknown>> };
  const textAt = (name: string): string | undefined => {
    const text = status[name];
    return typeof text === 'string' && text !== '' ? text : undefined;
  };
  const expiry = Date.parse(textAt('expirationTimestamp') ?? '');
  const credential = {
    token: textAt('token'),
    certificate: textAt('clientCertificateData'),
    key: textAt('clientKeyData'),
    expiresAt: Number.isNaN(expiry) ? now + withoutExpiryMs : expiry,
  };
  if (credential.token === undefined && credential.certificate === undefined)
    throw new Problem('invalid-setup', { detail: 'The plugin printed neither a token nor a certificate.' });
  return credential;
}
