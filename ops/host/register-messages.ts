import { redacted } from '../../contracts/redaction.js';
import { Secrets } from '../../runtime/logging/secrets.js';
import type { FlagSource } from '../../contracts/flags.js';
import type { MissingUpcasters } from '../../contracts/upcaster.js';
import { lifecycleOf } from '../../endpoints/mutation-endpoint.js';
import type { Registry } from '../../endpoints/service-definition.js';
import { log } from '../../runtime/logging/log.js';
import type { Service } from '../../runtime/service/service.js';
import type { Observer } from '../../runtime/request/observer.js';

/** Registers the marks and redactions of the application's messages, and binds its endpoints to the host. */
export function registerMessages(
  registry: Registry,
  { parts }: Service,
  { observer, flags }: { readonly observer: Observer; readonly flags: FlagSource },
): void {
  parts.policy.register([...(registry.events ?? []), ...registry.endpoints.map(({ command }) => command)]);
  parts.unitStore?.upcasters?.registerVersions(registry.events ?? []);
  const missing = parts.unitStore?.upcasters?.missing ?? [];
  if (missing.length > 0) log.warn({ missing }, missingUpcastersText(missing));
  for (const redaction of registry.redactions ?? []) {
    parts.policy.redact(redaction.type, (message) => redaction.redact(message));
  }
  // Which fields of a request become sensitive ones of the command, only its mapping knows.
  const secretsIn = (name: string) => (sent: unknown, isCommand: boolean) =>
    isCommand ? parts.policy.secretsIn(name, sent) : new Secrets().add(sent, redacted);
  for (const { endpoint, command } of registry.endpoints) {
    const hidden = parts.policy.isSensitive(command.name) ? { secretsIn: secretsIn(command.name) } : {};
    lifecycleOf(endpoint).bind({ observer, flags, ...hidden });
  }
}

const missingUpcastersText = (missing: readonly MissingUpcasters[]): string =>
  `events stored in an earlier version cannot be read; register addUpcasters: ${missing
    .map(
      ({ type, version, from }) => `${type} has version ${version} and no upcaster from ${from.join(', ')}`,
    )
    .join('; ')}`;
