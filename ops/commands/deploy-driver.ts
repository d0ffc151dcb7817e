import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Problem } from '../../contracts/problems.js';
import type { DeployConfig } from '../deploy/deploy-config.js';
import type { DeploymentDriver } from '../deploy/target.js';

/** Loads the driver that deploy.json names, and only this one. */
export async function loadDriver(
  { driver, forDriver }: DeployConfig,
  file: string,
): Promise<DeploymentDriver> {
  if (driver === 'haproxy')
    return (await import('../deploy/haproxy/driver.js')).haproxyDriver(forDriver, dirname(file));
  if (driver === 'kubernetes') {
    const own = new URL('../deploy/kubernetes/driver.js', import.meta.url).href;
    return (await factoryOf(own, 'kubernetesDriver', file))(forDriver, process.env);
  }
  return (await factoryOf(pathToFileURL(driver).href, 'deploymentDriver', file))(forDriver, dirname(file));
}

type Factory = (config: unknown, from: unknown) => DeploymentDriver | Promise<DeploymentDriver>;

async function factoryOf(url: string, name: string, file: string): Promise<Factory> {
  const module = (await import(url).catch((cause: unknown) => {
    throw new Problem('invalid-setup', {
      detail: `${file}: the driver cannot be loaded: ${cause instanceof Error ? cause.message : ''}`,
      cause,
    });
  })) as Readonly<Record<string, unknown>>;
  const made = module[name];
  if (typeof made === 'function') return made as Factory;
  throw new Problem('invalid-setup', { detail: `${file}: the driver exports no function ${name}.` });
}
