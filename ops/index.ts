export { type Config, readConfig } from './config/config.js';
export { type Host, startHost } from './host/host.js';
