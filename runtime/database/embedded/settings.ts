export type Settings = Readonly<Record<string, string>>;

const defaults: Settings = {
  max_connections: '100',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
};

/** The options of the server, quoted for the shell through which pg_ctl passes them. */
export function serverOptions(
  cluster: string,
  settings: Settings,
  port: number,
  platform: string = process.platform,
): string {
  const own = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) };
  const options = Object.entries({ ...defaults, ...settings, ...own });
  const quoted = options.map(([name, value]) => `-c ${quote(`${name}=${value}`, platform)}`);
  return [`-D ${quote(cluster, platform)}`, ...quoted].join(' ');
}

export const syncsToDisk = (settings: Settings): boolean => settings['fsync'] !== 'off';

const quote = (text: string, platform: string): string =>
  platform === 'win32' ? `"${text.replaceAll('"', '\\"')}"` : `'${text.replaceAll("'", String.raw`'\''`)}'`;
