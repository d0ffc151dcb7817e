import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Problem } from '../../../contracts/problems.js';
import type { DeployConfig } from '../deploy-config.js';
import type { DeploymentDriver } from '../target.js';

/** Loads the driver that deploy.json names, and only this one. */
export async function loadDriver(
  { driver, forDriver }: DeployConfig,
  file: string,
): Promise<DeploymentDriver> {
  if (driver === 'haproxy')
    return (await import('../haproxy/driver.js')).haproxyDriver(forDriver, dirname(file));
  if (driver === 'kubernetes')
    return (await import('../kubernetes/driver.js')).kubernetesDriver(forDriver, process.env);
  return (await ownFactory(driver, file))(forDriver, dirname(file));
}

/** Checks what deploy.json says for its driver; runs no code of a driver of your own, and returns none. */
export async function checkDriver(config: DeployConfig, file: string): Promise<DeploymentDriver | undefined> {
  const { driver } = config;
  if (driver === 'haproxy' || driver === 'kubernetes') return loadDriver(config, file);
  if (existsSync(driver)) return undefined;
  throw new Problem('invalid-setup', {
    detail: `${file}: the driver cannot be loaded: there is no ${driver}.`,
  });
}

type Factory = (config: unknown, folder: string) => DeploymentDriver | Promise<DeploymentDriver>;

async function ownFactory(path: string, file: string): Promise<Factory> {
  const module = (await import(pathToFileURL(path).href).catch((cause: unknown) => {
    throw new Problem('invalid-setup', {
      detail: `${file}: the driver cannot be loaded: ${cause instanceof Error ? cause.message : ''}`,
      cause,
    });
  })) as Readonly<Record<string, unknown>>;
  const made = module['deploymentDriver'];
  if (typeof made === 'function') return made as Factory;
  throw new Problem('invalid-setup', { detail: `${file}: the driver exports no function deploymentDriver.` });
}
